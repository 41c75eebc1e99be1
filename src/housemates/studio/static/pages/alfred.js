// ALFRED's seat: the picture with a menu on it, the goal and the instructions, and for a tutorial the lessons.

import { acting, bar, begin, console_, ending, lessons, told } from "../parts.js";
import { Seat } from "../seat.js";
import { confirmed, fill, h, style } from "../ui.js";
import { keys, pad } from "./home_pad.js";
import { view } from "./home_view.js";

style("pages/home.css");
style("pages/alfred.css");
const seat = Seat.here();
const tutorial = document.body.dataset.kind === "tutorial";
const HEATING = "What is in a microwave when it is turned on is heated; what is in a fridge when it is closed is cooled; what is in a sink when its faucet is turned on is cleaned.";
const MENU = "Choose a thing in the picture to see what you can do with it; what does not work says why. Or choose an action first, then the thing.";
const KEYS = "Walk with W, turn with A and D, look with R and F. The keys 1 to 7 choose an action. With the picture focused, the arrow keys move a pointer and Enter acts.";

const instructions = told(tutorial ? {
  name: "Learn the controls",
  lines: [
    "You are in a home. First try the controls, then do what the goal says; the instructions tell a way.",
    HEATING,
    "When all is done, press Stop. If the goal is reached then, you have passed.",
  ],
  hint: MENU, keys: KEYS,
} : {
  name: "You are the agent",
  lines: [
    "You are in a home and do a household task: the goal says what is to be done, the instructions tell a way, step by step.",
    "You hold one thing at a time, and can use what is in view and within reach.",
    HEATING,
    "When all is done, press Stop. Ten failed acts end the session, too.",
  ],
  hint: MENU, keys: KEYS,
});

const log = console_(seat);
const act = acting(seat, log);
const eye = view(seat, act, log);
const body = pad(seat, act, log, "Move", { MoveAhead: "Walk ahead" });
const hand = h("p.hand", { role: "status", "aria-live": "polite" });
const lesson = h("section.learning", { "aria-label": "Tutorial", hidden: !tutorial });
const goal = h("p.goal");
const steps = h("ol.instructions");
const stop = h("button", { type: "button", onclick: async () => { if (await confirmed("Is all done? The session ends.", "Stop", "Go on")) act("Stop"); } }, "Stop");

seat.on("state", ({ state: { views } }) => {
  hand.textContent = views.held ? `In your hand: ${views.held}` : "Your hand is empty";
  goal.textContent = views.goal || "Do what the instructions say.";
  if (!steps.childElementCount) fill(steps, views.instructions.map((each) => h("li", {}, each)));
  if (tutorial) fill(lesson, h("h2", {}, "First, the controls"), lessons(views.lessons));
});
keys(body.keyed, eye.keyed);
ending(seat, () => [
  h("h2", {}, seat.state.views.success ? "The goal is reached." : "The goal is not reached."),
  h("p", {}, tutorial ? "That was the tutorial." : "Thank you. Please tell us how it went."),
]);
begin(seat, bar(seat, tutorial ? "Tutorial" : "ALFRED", instructions, stop), h("main.home-seat.alfred", {},
  h("section.eye", { "aria-label": "Your view" }, eye.element, hand),
  h("section.panel.controls", { "aria-label": "Controls" }, body.element, eye.panel),
  h("section.panel.asked", { "aria-label": "What is to be done", tabIndex: 0 }, lesson, h("h2", {}, "Goal"), goal, h("h3", {}, "Instructions"), steps),
  log.element));
