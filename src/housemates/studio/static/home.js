// The front door: seats that can be taken at once.

import { ask, h, fill, live, title } from "./ui.js";

const NAMES = {
  "teach-tatc": ["TEACh", "Two finish chores in a home by talking."],
  cerealbar: ["CerealBar", "Two collect sets of cards on a board of hexagons."],
  handmethat: ["HandMeThat", "A robot guesses what a human wants handed."],
  alfred: ["ALFRED", "An agent follows instructions in a home."],
  "alfred-annotation": ["ALFRED's words", "People describe demonstrations, and compare descriptions."],
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
  const [name, text] = NAMES[benchmark] ?? [title(benchmark), ""];
  return h("article.card.panel", {},
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
