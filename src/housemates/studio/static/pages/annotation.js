// A demonstration as a film with its sub-goals, and a text box for each. Every sentence is kept as it is written.

import { Seat } from "../seat.js";
import { bar, ending, page } from "../parts.js";
import { h, fill, live, style, title } from "../ui.js";

style("pages/words.css");
const FRAME_MS = 250;
const seat = Seat.here();
const canvas = h("canvas.screen", { width: 300, height: 300, role: "img", "aria-label": "The demonstration" });
const slider = h("input.scrub", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Place in the film", oninput: () => { pause(); show(Number(slider.value)); } });
const timeline = h("div.timeline", { role: "group", "aria-label": "Parts of the film" });
const button = h("button.primary", { type: "button", onclick: () => (timer ? pause() : play(at >= last() ? 0 : at, last())) }, "Play");
const caption = h("p.quiet", { "aria-live": "polite" });
const boxes = h("div.boxes");
const trouble = live("p", "assertive");
trouble.className = "trouble";
const submit = h("button.primary", { type: "button", onclick: hand }, "Submit");
let at = 0, timer = null, segments = [];
const last = () => Math.max(0, (segments.at(-1)?.last ?? 0));

function show(number) {
  at = Math.min(number, last());
  slider.value = at;
  const picture = seat.pictures.get(String(at));
  if (picture) {
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d").drawImage(picture.bitmap, 0, 0);
  }
  const part = segments.findIndex((each) => at >= each.first && at < each.last);
  caption.textContent = part < 0 ? "The end" : `Part ${part + 1}: ${segments[part].kind}`;
  [...timeline.children].forEach((each, i) => each.setAttribute("aria-current", String(i === part)));
}

function pause() {
  clearInterval(timer);
  timer = null;
  button.textContent = "Play";
}

function play(from, to) {
  pause();
  show(from);
  button.textContent = "Pause";
  timer = setInterval(() => { if (at >= to) pause(); else show(at + 1); }, FRAME_MS);
}

async function keep(part, text) {
  const said = text.trim();
  if (!said || seat.state.views.written[part] === said) return;
  try {
    await seat.act("Write", { part, text: said });
    const { last } = seat.state;
    trouble.textContent = last && !last.success ? `“${said}” is not kept. ${last.message.replace("Write: expected", "Please write")}` : "";
  } catch (error) { trouble.textContent = error.message; }
}

async function hand() {
  for (const box of boxes.querySelectorAll("textarea")) await keep(box.name, box.value);
  if (seat.state.views.missing.length) {
    trouble.textContent ||= "Please describe every part, and the goal.";
    boxes.querySelector(`[name="${seat.state.views.missing[0]}"]`)?.focus();
    return;
  }
  try { await seat.act("Submit"); } catch (error) { trouble.textContent = error.message; }
}

function box(part, label, segment) {
  const area = h("textarea", { name: part, rows: 2, maxLength: seat.state.views.longest, onblur: () => keep(part, area.value), onfocus: () => segment && play(segment.first, segment.last) });
  area.value = seat.state.views.written[part] ?? "";
  return h("label.panel", {}, label, area);
}

function build(views) {
  segments = views.segments;
  slider.max = last();
  fill(timeline, segments.map((each, i) => h("button", { type: "button", onclick: () => play(each.first, each.last) }, i + 1)));
  [...timeline.children].forEach((each, i) => { each.style.flexGrow = segments[i].last - segments[i].first; });
  fill(boxes, segments.map((each, i) => box(String(i + 1), `Part ${i + 1}: what must be done here?`, each)),
    box("goal", "The goal of it all, in one sentence"));
  show(0);
}

seat.on("state", ({ state }) => {
  if (!boxes.childElementCount) build(state.views);
  submit.textContent = state.views.missing.length ? `Submit (${state.views.missing.length} to write)` : "Submit";
});
seat.on("picture", ({ name }) => { if (name === String(at)) show(at); });
ending(seat, ({ success }) => [h("h2", {}, success ? "Thank you" : "It has ended."), h("p", {}, success ? "Your description is kept." : "The description was not handed in.")]);
page(bar(seat, title("describe what the robot does"), submit), h("main.words", {},
  h("section.panel.film", { "aria-label": "The demonstration" }, canvas, caption, timeline, slider, button),
  h("div.column", {}, h("p.lead", {}, "Write what a robot must do in each part, so that it could follow your words without seeing this. A part plays when you click its box."), trouble, boxes)));
seat.connect();
