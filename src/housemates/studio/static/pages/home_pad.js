// The pad to move with, by click, tap or key. Moves that would fail say why instead.

import { excuse, h } from "../ui.js";

// Rows of moves: the act, its sign, its name and its key; an empty act leaves a gap.
export function pad(seat, act, log, label, moves, head) {
  const buttons = new Map();
  const move = (name) => {
    const why = seat.state?.views.blocked?.[name];
    if (why) log.write(why, false);
    else act(name);
  };
  const button = ([name, sign, text, key]) => {
    if (!name) return h("span");
    const made = h("button", { type: "button", "aria-keyshortcuts": key, onclick: () => move(name) },
      h("span.hidden", {}, text), h("span", { "aria-hidden": "true" }, sign), h("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    buttons.set(made, [name, `${text} (${key.toUpperCase()})`]);
    return made;
  };
  const element = h("div.pad", { role: "group", "aria-label": label }, h("div.moves", {}, moves.map(button)), h("div.head", {}, head.map(button)));
  const show = (blocked) => { for (const [made, [name, hint]] of buttons) excuse(made, blocked?.[name], hint); };
  seat.on("state", ({ state }) => show(state.views.blocked));
  show();
  return { element, move };
}

// Keys act wherever one is, except where one writes.
export function keys(move, moves, more = {}) {
  const table = { ...Object.fromEntries(moves.filter(([name]) => name).map(([name, , , key]) => [key, () => move(name)])), ...more };
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest?.("input, textarea, select, dialog, [role=log], [role=menu]");
    const meant = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (writing || event.ctrlKey || event.metaKey || event.altKey || meant === undefined) return;
    event.preventDefault();
    meant();
  });
}
