// The Follower: one's own view with a menu on it, the map, the panels, the console, the chat.

import { bar, acting, chat, console_, lessons } from "../parts.js";
import { fill, h } from "../ui.js";
import { keys, pad } from "./home_pad.js";
import { view } from "./home_view.js";
import { over, plan, steps } from "./teach_parts.js";
import { instructions } from "./teach_words.js";

export function follower(seat) {
  const tutorial = document.body.dataset.kind === "tutorial";
  const log = console_(seat, "Console");
  const act = acting(seat, log);
  const eye = view(seat, act, log);
  const body = pad(seat, act, log, "Move");
  const hand = h("p.hand", { role: "status", "aria-live": "polite" });
  const lesson = h("section.panel.learning", { "aria-label": "Tutorial", tabIndex: 0 });
  seat.on("state", ({ state }) => {
    const { held, lessons: all, progress } = state.views;
    hand.textContent = held ? `In your hand: ${held}` : "Your hand is empty";
    if (tutorial) teach(lesson, all, progress);
  });
  keys(body.keyed, eye.keyed);
  over(seat);
  return [
    bar(seat, tutorial ? "Tutorial" : "Follower", instructions(tutorial ? "tutorial" : "follower")),
    h("main.home-seat.teach.follower", {},
      h("section.eye", { "aria-label": "Your view" }, eye.element, hand),
      h("section.panel.controls", { "aria-label": "Controls" }, body.element, eye.panel),
      plan(seat, "Map: you are blue"),
      tutorial ? lesson : chat(seat, { placeholder: "Write to the Commander…" }),
      log.element),
  ];
}

// What is to be tried, then what is to be done; what is learnt makes way for it.
function teach(place, all, progress) {
  const learning = all.some((each) => !each.done);
  fill(place,
    h("h2", {}, learning ? "First, the controls" : "Now the two tasks"), lessons(all),
    learning && h("h3", {}, "Then"), steps(progress));
}
