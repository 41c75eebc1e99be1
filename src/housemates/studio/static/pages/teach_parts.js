// What both of TEACh's pages have: the map, the list of what is to be done, and the way out.

import { screen } from "../seat.js";
import { ending } from "../parts.js";
import { h } from "../ui.js";

const COLOURS = { follower: "#2470c4", commander: "#d64034" };
// The home from above with whoever the role may see: a disc and the cone in which they look.
export function plan(seat, label) {
  const base = screen(seat, "map", label);
  const over = h("canvas.over", { "aria-hidden": "true" });
  const draw = () => {
    const views = seat.state?.views;
    if (!views) return;
    if (over.width !== base.width) over.width = base.width;
    if (over.height !== base.height) over.height = base.height;
    const pen = over.getContext("2d");
    pen.clearRect(0, 0, over.width, over.height);
    for (const role of ["commander", "follower"]) if (views[role]) someone(pen, over, views[role], COLOURS[role]);
    if (views.target?.spot) ring(pen, over, views.target.spot);
  };
  base.addEventListener("drawn", draw);
  seat.on("state", draw);
  return h("figure.plan", {}, h("div.fit", {}, h("div.stack", {}, base, over)), h("figcaption", {}, label));
}

function someone(pen, { width, height }, { x, y, rotation }, colour) {
  const size = Math.max(width, height);
  const [px, py, angle] = [x * width, y * height, ((rotation - 90) * Math.PI) / 180];
  pen.fillStyle = `${colour}55`;
  pen.beginPath();
  pen.moveTo(px, py);
  pen.arc(px, py, size * 0.16, angle - Math.PI / 4, angle + Math.PI / 4);
  pen.fill();
  pen.fillStyle = colour;
  pen.strokeStyle = "#fff";
  pen.lineWidth = size / 150;
  pen.beginPath();
  pen.arc(px, py, size * 0.022, 0, 7);
  pen.fill();
  pen.stroke();
}

function ring(pen, { width, height }, [x, y]) {
  pen.strokeStyle = "#ffd640";
  pen.lineWidth = Math.max(3, width / 110);
  pen.beginPath();
  pen.arc(x * width, y * height, width * 0.04, 0, 7);
  pen.stroke();
}

export function over(seat) {
  const tutorial = document.body.dataset.kind === "tutorial";
  ending(seat, ({ success }) => [
    h("h2", {}, success ? "Well done." : tutorial ? "The tutorial has ended." : "The session has ended."),
    h("p", {}, tutorial ? (success ? "You have finished the tutorial." : "Not all of it is done. You can begin it again.")
      : `${success ? "" : "The task is not finished. "}Thank you. Please tell us how it went.`),
  ]);
}

// The list of what is to be done; `find` is called with the object of a step that is clicked.
export function steps(progress, find) {
  const line = (each) => h(each.done ? "li.done" : "li", {},
    find && each.object ? h("button.step", { type: "button", onclick: () => find(each.object) }, mark(each), each.text) : h("span.step", {}, mark(each), each.text));
  return [
    h(progress.done ? "p.all.done" : "p.all", {}, progress.done ? "All is done. You can finish." : progress.task),
    h("ol.steps", {}, progress.subgoals.map((goal) => h(goal.done ? "li.goal-item.done" : "li.goal-item", {},
      goal.text && goal.text !== progress.task ? line(goal).firstChild : null,
      h("ul", {}, goal.steps.map(line))))),
  ];
}

function mark({ done }) {
  return h("span.mark", { role: "img", "aria-label": done ? "Done:" : "To do:" }, done ? "✓" : "○");
}
