// The pad to move with, by click, tap or key. Moves that would fail say why instead.

import { excuse, fill, h } from "../ui.js";

// The seat's moves and looks as it is told them; `names` gives some of them other names.
export function pad(seat, act, log, label, names = {}) {
  const buttons = new Map(), keyed = {};
  const move = (name) => {
    const why = seat.state?.views.blocked?.[name];
    if (why) log.write(why, false);
    else act(name);
  };
  const button = ({ act: name, sign, text: usual, key }) => {
    const text = names[name] ?? usual;
    keyed[key] = () => move(name);
    const made = h("button", { type: "button", "aria-keyshortcuts": key, onclick: () => move(name) },
      h("span.hidden", {}, text), h("span", { "aria-hidden": "true" }, sign), h("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    buttons.set(made, [name, `${text} (${key.toUpperCase()})`]);
    return made;
  };
  const walk = h("div.moves"), look = h("div.head");
  const element = h("div.pad", { role: "group", "aria-label": label }, walk, look);
  const show = (blocked) => { for (const [made, [name, hint]] of buttons) excuse(made, blocked?.[name], hint); };
  seat.on("hello", ({ brief: { legend } }) => {
    buttons.clear();
    fill(walk, legend.moves.map(button));
    fill(look, legend.looks.map(button));
    show();
  });
  seat.on("state", ({ state }) => show(state.views.blocked));
  return { element, move, keyed };
}

// Keys act wherever one is, except where one writes.
export function keys(...tables) {
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest?.("input, textarea, select, dialog, [role=log], [role=menu]");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const meant = tables.find((table) => table[key])?.[key];
    if (writing || event.ctrlKey || event.metaKey || event.altKey || meant === undefined) return;
    event.preventDefault();
    meant();
  });
}
