// The page of any seat, from its brief, its offers and its percepts alone.

import { Seat, screen } from "../seat.js";
import { Names } from "../names.js";
import { acting, bar, begin, chat, console_, ending } from "../parts.js";
import { h, fill, refill, title, words } from "../ui.js";

const seat = Seat.here();
const role = document.body.dataset.role;
const text = h("pre.percept", { tabIndex: 0, "aria-label": "What you perceive" });
const turn = h("p.turn", { role: "status", "aria-live": "polite" });
const offers = h("div.offers", { role: "group", "aria-label": "What you can do" });
const pictures = h("div.pictures");
const names = new Names();
const log = console_(seat, "Console", ({ message }) => names.in(message));
const act = acting(seat, log);
const talk = chat(seat);
const goal = h("p.goal");
const told = h("details.panel.brief", {}, h("summary", {}, "The rules"));
const screens = new Map();
let pointing = null;
talk.hidden = true;

function field(name, schema, needed) {
  const label = title(words(name));
  if (schema.enum) {
    return h("label", {}, label, h("select", { name, required: needed },
      needed ? null : h("option", { value: "" }, "–"), schema.enum.map((each) => h("option", { value: each }, names.of(each)))));
  }
  const kind = schema.type === "number" ? "number" : "text";
  return h("label", {}, label, h("input", { name, type: kind, step: "any", required: needed, maxLength: 2000, title: schema.description ?? "" }));
}

// A button for what needs nothing, a form for what needs words, a click on the picture for what needs a place.
function offer({ name, help, schema }) {
  const asked = Object.keys(schema.properties ?? {});
  const plain = asked.filter((each) => ["string", "number"].includes(schema.properties[each].type));
  const byPoint = asked.includes("point");
  if (!asked.length) return h("button", { type: "button", title: help, onclick: () => act(name, {}) }, words(name));
  const aim = byPoint && h("button", { type: "button", title: `${help} Then click the picture.`, "aria-pressed": pointing === name ? "true" : "false",
    onclick: () => { pointing = pointing === name ? null : name; draw(); } }, `${words(name)} by pointing`);
  if (!plain.length) return aim;
  return h("form.offer", {
    onsubmit: (event) => {
      event.preventDefault();
      const given = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
      act(name, Object.fromEntries(given.map(([key, value]) => [key, schema.properties[key].type === "number" ? Number(value) : value])));
      event.currentTarget.reset();
    },
  }, plain.map((each) => field(each, schema.properties[each], (schema.required ?? []).includes(each))),
  h("button", { title: help }, words(name)), aim);
}

function draw() {
  refill(offers, (seat.state?.offers ?? []).map(offer));
  for (const canvas of screens.values()) canvas.classList.toggle("aiming", pointing !== null);
}

function show(name) {
  if (screens.has(name)) return;
  const canvas = screen(seat, name, title(words(name)));
  canvas.addEventListener("click", (event) => {
    if (pointing === null) return;
    const box = canvas.getBoundingClientRect();
    act(pointing, { point: [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] });
    pointing = null;
    draw();
  });
  screens.set(name, canvas);
  pictures.append(h("figure", {}, canvas, h("figcaption", {}, title(words(name)))));
  const known = seat.pictures.get(name);
  if (known) seat.tell("picture", known);
}

seat.on("hello", ({ brief }) => {
  fill(told, h("summary", {}, "The rules"), h("p", {}, brief.rules));
  goal.textContent = names.in(brief.goal);
  talk.hidden = !brief.offers.some((each) => each.name === "Say");
});
seat.on("picture", ({ name }) => show(name));
seat.on("state", ({ state }) => {
  text.textContent = names.in(state.text ?? "");
  turn.textContent = state.over ? "It is over." : state.role === role ? "It is your turn." : `It is the ${title(state.role ?? "other")}'s turn.`;
  draw();
});
ending(seat, ({ how }) => [h("h2", {}, how === "done" ? "That is it." : "It has ended."), h("p", {}, `Ended: ${how}.`)]);
begin(seat, bar(seat, title(role), turn), h("main.any", {},
  h("div.column", {}, pictures, h("section.panel", { "aria-label": "What you can do" }, offers), log.element),
  h("div.column", {}, goal, told, h("section.panel", { "aria-label": "What you perceive" }, text), talk)));
