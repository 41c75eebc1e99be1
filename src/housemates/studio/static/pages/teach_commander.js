// The Commander: one's own camera, what was searched for, the map, the Follower's view, the list, the chat.

import { screen } from "../seat.js";
import { acting, bar, chat, console_ } from "../parts.js";
import { confirmed, h, refill } from "../ui.js";
import { keys, pad } from "./home_pad.js";
import { over, plan, steps } from "./teach_parts.js";
import { instructions } from "./teach_words.js";

const DOING = { waits: "is waiting for you", walks: "is walking…", works: "is at work…", thinks: "is thinking…" };
const HEIGHT = { LookUp: "Up", LookDown: "Down" };

export function commander(seat) {
  const log = console_(seat, "Console", ({ success, message }) => (success ? "" : message));
  const act = acting(seat, log);
  const list = h("div.progress", { role: "region", "aria-label": "Progress check", "aria-live": "polite", tabIndex: 0 }, h("p.quiet", {}, "Press Progress check to see what is to be done."));
  const told = h("p.told", { role: "status", "aria-live": "polite" }, "Click a step or search: what you look for is shown here.");
  const words = h("input", { type: "text", name: "search", autocomplete: "off", maxLength: 60, placeholder: "Search, for example: mug", "aria-label": "Search for an object" });
  const find = (object) => act("Select", { object });
  const camera = pad(seat, act, log, "Fly", HEIGHT);
  let shown = "";
  seat.on("state", ({ state }) => {
    const { progress, target } = state.views;
    const now = JSON.stringify(progress);
    if (progress && now !== shown) { refill(list, steps(progress, find)); shown = now; }
    if (target) told.textContent = target.told;
    follower.textContent = `The Follower ${state.over ? "has stopped" : DOING[state.views.doing]}`;
    finish.classList.toggle("primary", Boolean(progress?.done));
  });
  const check = h("button.primary", { type: "button", "aria-keyshortcuts": "p", onclick: () => act("ProgressCheck") }, "Progress check", h("kbd", { "aria-hidden": "true" }, "P"));
  const finish = h("button", { type: "button", onclick: async () => { if (await confirmed("End the session for both of you?", "Finish", "Keep playing")) act("Stop"); } }, "Finish");
  const follower = h("figcaption", { role: "status", "aria-live": "off" }, "The Follower's view");
  const target = h("div.stack.target", {}, screen(seat, "target", "What you searched for"), lit(seat));
  keys(camera.keyed, { p: () => act("ProgressCheck"), "/": () => words.focus() });
  over(seat);
  return [
    bar(seat, "Commander", instructions("commander"), finish),
    h("main.home-seat.teach.commander", {},
      h("figure.eye", {}, h("div.fit", {}, screen(seat, "camera", "What your camera sees")), h("figcaption", {}, "Your camera")),
      h("section.panel.controls", { "aria-label": "Controls" }, camera.element),
      h("section.panel.task", { "aria-label": "Task" },
        list,
        h("form.say", { role: "search", onsubmit: (event) => { event.preventDefault(); if (words.value.trim()) act("Search", { text: words.value.trim() }); } }, words, h("button", {}, "Search")),
        check),
      h("figure.found", {}, h("div.fit", {}, target), h("figcaption", {}, told)),
      h("figure.partner", {}, h("div.fit", {}, screen(seat, "view", "What the Follower sees")), follower),
      plan(seat, "Map: you are red, the Follower is blue"),
      chat(seat, { placeholder: "Write to the Follower…" }),
      log.element),
  ];
}

function lit(seat) {
  const canvas = screen(seat, "target lit", "");
  canvas.classList.add("over", "blink");
  canvas.setAttribute("aria-hidden", "true");
  canvas.removeAttribute("role");
  return canvas;
}
