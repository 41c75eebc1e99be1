// The front door: seats that can be taken at once.

import { ask, h, fill, live, title } from "./ui.js";

// What a benchmark is called, what happens there, and what is said there.
const NAMES = {
  "teach-tatc": ["TEACh", "Two finish chores in a home by talking: one knows the task, the other has the hands.", "Please make coffee in a clean mug."],
  cerealbar: ["CerealBar", "Two collect sets of cards on a board of hexagons; only one of them can speak.", "Go past the hut and get the black ring."],
  handmethat: ["HandMeThat", "A human worked, then asks for something in as few words as she can. A robot guesses what she means.", "Hand me that."],
  alfred: ["ALFRED", "An agent follows step-by-step instructions in a home.", "Put the warm tomato in the sink."],
  "alfred-annotation": ["ALFRED's words", "Watch a robot at work, and write the instructions that it could have followed.", "What happens here?"],
};

const trouble = live("p", "assertive");
trouble.className = "trouble";
const cards = h("div.cards");

async function begin(button, benchmark, role) {
  button.disabled = true;
  button.dataset.busy = "";
  trouble.textContent = "";
  try {
    location.href = (await ask("POST", "/api/demo", { benchmark, role })).seat;
  } catch (error) {
    trouble.textContent = error.message;
  } finally {
    button.disabled = false;
    delete button.dataset.busy;
  }
}

function card(benchmark, seats) {
  const [name, text, said] = NAMES[benchmark] ?? [title(benchmark), ""];
  return h("article.card.panel", {},
    said && h("figure.world", {}, h("img", { src: `/static/pictures/${benchmark}.jpg`, width: 640, height: 400, alt: "" }), h("figcaption.bubble", {}, `“${said}”`)),
    h("h2", {}, name),
    h("p.quiet", {}, text),
    h("div.seats", {}, seats.map((seat) => h("div.seat", {},
      h("button.primary", { type: "button", onclick: (event) => begin(event.currentTarget, benchmark, seat.role) }, seat.title),
      h("p", {}, seat.text, seat.partner ? h("span.quiet", {}, ` Your partner is the agent “${seat.partner}”.`) : "")))));
}

document.body.replaceChildren(
  h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, "Housemates Studio"), h("span.grow"),
    h("nav", { "aria-label": "Studio" }, h("a", { href: "/watch" }, "Watch"), h("a", { href: "/admin" }, "Run a study"))),
  h("main.front", {},
    h("p.lead", {}, "Household agents you can talk to. Take a seat: an agent takes the other one."),
    trouble, cards));

const offered = await ask("GET", "/api/demo").catch((error) => { trouble.textContent = error.message; return []; });
const benchmarks = [...new Set(offered.map((each) => each.benchmark))];
fill(cards, benchmarks.map((name) => card(name, offered.filter((each) => each.benchmark === name))));
if (!benchmarks.length && !trouble.textContent) trouble.textContent = "There is no demo here. If you were given a link, follow it.";
