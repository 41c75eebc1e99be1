// Running a study: the frame, the login, and which part is shown (by what stands behind # in the address).

import { form } from "./admin/form.js";
import { overview } from "./admin/overview.js";
import { project } from "./admin/project.js";
import { ask, h, fill, live, style } from "./ui.js";

style("admin.css");
const LOST = "Log in first.";
const trouble = live("p", "assertive");
trouble.className = "trouble";
const place = h("div.parts");
const tools = h("div.row");
document.body.replaceChildren(
  h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, "Run a study"), h("span.grow"), tools,
    h("nav", { "aria-label": "Studio" }, h("a", { href: "#" }, "Projects"), h("a", { href: "/watch" }, "Watch"))),
  h("main.admin", {}, trouble, place));
let leave = () => {};

// What every part is given: asking with refusals shown, drawing itself, going elsewhere.
const desk = {
  async trying(work) {
    trouble.textContent = "";
    try { return await work(); } catch (error) {
      if (error.message === LOST) login("You were logged out.");
      else { trouble.textContent = error.message; trouble.scrollIntoView({ block: "center" }); }
      return null;
    }
  },
  show(...children) { fill(place, ...children); },
  go(where) { if (location.hash === where) route(); else location.hash = where; },
  again: route,
};

function login(said = "") {
  leave();
  fill(tools);
  trouble.textContent = "";
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password", required: true, maxLength: 200 });
  fill(place, h("form.login.panel", {
    onsubmit: async (event) => {
      event.preventDefault();
      if (await desk.trying(() => ask("POST", "/api/admin/login", { password: password.value }))) route();
    },
  }, h("h2", {}, "Administrator"), said && h("p", { role: "status" }, said), h("label", {}, "Password", password), h("button.primary", {}, "Log in"),
  h("p.quiet", {}, "The password is printed where you started ", h("code", {}, "housemates studio"), ", unless you set one.")));
  password.focus();
}

const PARTS = { "": overview, project, new: form, edit: form, copy: form };

async function route() {
  leave();
  leave = () => {};
  const [part = "", name = ""] = location.hash.slice(1).split("/");
  fill(tools, h("button", { type: "button", onclick: async () => { await ask("POST", "/api/admin/logout"); login(); } }, "Log out"));
  leave = (await (PARTS[part] ?? overview)(desk, name, part)) ?? (() => {});
}

addEventListener("hashchange", () => { trouble.textContent = ""; route(); scrollTo(0, 0); });
const known = await ask("GET", "/api/admin/session").catch(() => ({ in: false }));
if (known.in) route(); else login();
