import { h } from "./ui.js";

document.body.replaceChildren(
  h("main.sorry", {}, h("h1", {}, "Sorry"), h("p", {}, document.body.dataset.sentence), h("p", {}, h("a", { href: "/" }, "To the studio"))));
