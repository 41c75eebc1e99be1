// Three directives side by side: do they describe the same actions, and if not, which is most different?

import { Seat } from "../seat.js";
import { bar, ending, page } from "../parts.js";
import { h, fill, live, style } from "../ui.js";

style("pages/words.css");
const seat = Seat.here();
const columns = h("div.directives");
const trouble = live("p", "assertive");
trouble.className = "trouble";

async function judge(different) {
  try { await seat.act("Judge", { different }); } catch (error) { trouble.textContent = error.message; }
}

seat.on("state", ({ state }) => {
  if (columns.childElementCount) return;
  fill(columns, state.views.directives.map(({ goal, steps }, i) => h("section.panel", { "aria-label": `Directive ${i + 1}` },
    h("h2", {}, goal), h("ol", {}, steps.map((each) => h("li", {}, each))),
    h("button", { type: "button", onclick: () => judge(String(i + 1)) }, "This one is most different"))));
});
ending(seat, () => [h("h2", {}, "Thank you")]);
page(bar(seat, "Do they describe the same?"), h("main.compare", {},
  h("p.lead", {}, "Three people described the same task. Do they describe the same actions?"),
  h("button.primary", { type: "button", onclick: () => judge("same") }, "Yes, all three describe the same"), trouble, columns));
seat.connect();
