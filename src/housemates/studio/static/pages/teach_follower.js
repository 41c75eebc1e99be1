// The Follower: one's own view to click, the map, the panels, the console, the chat.

import { screen } from "../seat.js";
import { acting, bar, chat, console_ } from "../parts.js";
import { fill, h, title } from "../ui.js";
import { keys, over, pad, plan, steps } from "./teach_parts.js";
import { instructions } from "./teach_words.js";

const TOUCHES = [
  ["Pickup", "Pick up", "1"], ["Place", "Place", "2"], ["Open", "Open", "3"], ["Close", "Close", "4"],
  ["ToggleOn", "Turn on", "5"], ["ToggleOff", "Turn off", "6"], ["Slice", "Slice", "7"], ["Pour", "Pour", "8"],
];
const STEP = 0.02;
const PATIENCE_MS = 60;

export function follower(seat) {
  const tutorial = document.body.dataset.kind === "tutorial";
  const log = console_(seat, "Console");
  const act = acting(seat, log);
  const eye = view(seat, act);
  const hand = h("p.hand", { role: "status", "aria-live": "polite" });
  const lessons = h("section.panel.lessons", { "aria-label": "Tutorial", hidden: !tutorial });
  let turn = -1;
  seat.on("state", ({ state }) => {
    hand.textContent = state.views.held ? `In your hand: ${state.views.held.name}` : "Your hand is empty";
    if (state.last && state.turn !== turn && (state.last.message || !state.last.success)) log.write(state.last.message, state.last.success);
    turn = state.turn;
    if (tutorial) teach(lessons, state.views);
  });
  keys(act, {
    ...Object.fromEntries(TOUCHES.map(([name, , key]) => [key, () => eye.arm(name)])),
    Escape: () => eye.arm(null),
  });
  over(seat);
  const talk = tutorial ? lessons : chat(seat, { placeholder: "Write to the Commander…" });
  return [
    bar(seat, tutorial ? "Tutorial" : "Follower", instructions(tutorial ? "tutorial" : "follower")),
    h("main.teach.follower", {},
      h("section.eye", { "aria-label": "Your view" }, eye.element, hand),
      h("section.panel.controls", { "aria-label": "Controls" },
        pad(act, "Move"),
        h("div.touches", { role: "group", "aria-label": "Objects: choose, then click the picture" }, TOUCHES.map(([name, text, key]) => eye.button(name, text, key)))),
      plan(seat, "Map: you are blue"),
      talk,
      log.element),
  ];
}

function teach(place, { lessons, progress }) {
  const open = lessons.every((each) => each.done);
  fill(place,
    h("h2", {}, open ? "Now the two tasks" : "First, the controls"),
    h("ol.steps", {}, lessons.map((each) => h(each.done ? "li.done" : "li", {}, h("span.step", {}, h("span.mark", { role: "img", "aria-label": each.done ? "Done:" : "To do:" }, each.done ? "✓" : "○"), each.text)))),
    h("h3", {}, "What is to be done"), steps(progress));
}

// The view: what is under the pointer lights up and says what can be done; a click offers it or does it.
function view(seat, act) {
  const canvas = screen(seat, "view", "What you see. With the picture focused, arrow keys move a pointer, Enter acts.");
  canvas.tabIndex = 0;
  const glow = h("canvas.over", { "aria-hidden": "true" });
  const tip = h("p.tip", { role: "status", "aria-live": "polite", hidden: true });
  const menu = h("div.menu.panel", { role: "menu", "aria-label": "What can be done", hidden: true });
  const buttons = new Map();
  let armed = null, spot = null, found = null, asking = false, cross = false;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [clamp((event.clientX - box.left) / box.width), clamp((event.clientY - box.top) / box.height)];
  };
  const look = async () => {
    if (asking || !spot || !menu.hidden) return;
    asking = true;
    const [x, y] = spot;
    found = (await seat.point("view", x, y).catch(() => null)) ?? null;
    asking = false;
    light();
    if (spot && (spot[0] !== x || spot[1] !== y)) setTimeout(look, PATIENCE_MS);
  };
  const light = () => {
    paint(glow, found, cross && spot);
    const fits = found && (!armed || found.acts.some((each) => each.act === armed));
    canvas.classList.toggle("can", Boolean(fits && found.acts.length));
    tip.hidden = !found;
    if (found) tip.textContent = [title(found.name), ...found.states].join(", ") + (found.acts.length ? "" : " · nothing to do here now");
  };
  const forget = () => { spot = found = null; cross = false; light(); };
  const close = () => { menu.hidden = true; };
  const choose = async (name, [x, y]) => { close(); arm(null); canvas.focus({ preventScroll: true }); await act(name, { point: [x, y] }); look(); };
  const offer = (where) => {
    fill(menu, found.acts.map((each) => h("button", { type: "button", role: "menuitem", onclick: () => choose(each.act, where) }, each.label)),
      h("button", { type: "button", role: "menuitem", onclick: () => { close(); canvas.focus(); } }, "Never mind"));
    menu.hidden = false;
    menu.style.left = `${Math.min(where[0] * 100, 62)}%`;
    menu.style.top = `${Math.min(where[1] * 100, 70)}%`;
    menu.firstChild.focus({ preventScroll: true });
  };
  const click = async (where) => {
    if (!menu.hidden) { close(); return; }
    spot = where;
    if (armed) { await choose(armed, where); return; }
    found = (await seat.point("view", ...where).catch(() => null)) ?? null;
    light();
    if (found?.acts.length) offer(where);
  };
  const arm = (name) => {
    armed = armed === name ? null : name;
    close();
    for (const [each, button] of buttons) button.setAttribute("aria-pressed", String(each === armed));
    canvas.classList.toggle("aiming", armed !== null);
    light();
  };

  canvas.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") { cross = false; spot = place(event); look(); } });
  canvas.addEventListener("pointerleave", () => { if (menu.hidden && !cross) forget(); });
  canvas.addEventListener("click", (event) => click(place(event)));
  canvas.addEventListener("drawn", () => { close(); found = null; light(); look(); });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (step) { cross = true; spot = [clamp((spot?.[0] ?? 0.5) + step[0]), clamp((spot?.[1] ?? 0.5) + step[1])]; look(); light(); }
    else if (event.key === "Enter" || event.key === " ") click(spot ?? [0.5, 0.5]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { close(); canvas.focus(); }
    else if (step) { const all = [...menu.children]; all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus(); }
    else return;
    event.preventDefault();
  });
  return {
    element: h("div.stack.view", {}, canvas, glow, tip, menu),
    arm,
    button(name, text, key) {
      const made = h("button", { type: "button", "aria-pressed": "false", "aria-keyshortcuts": key, title: `${text} (${key}), then click the picture`, onclick: () => arm(name) }, text, h("kbd", { "aria-hidden": "true" }, key));
      buttons.set(name, made);
      return made;
    },
  };
}

function clamp(value) {
  return Math.min(Math.max(value, 0), 0.9999);
}

// Paints the thing that was found, and the pointer that keys move.
function paint(glow, found, spot) {
  const [height, width] = found?.mask.size ?? [glow.height, glow.width];
  glow.width = width;
  glow.height = height;
  const pen = glow.getContext("2d");
  if (found) {
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const inside = new Uint8Array(width * height);
    const { runs } = found.mask;
    for (let i = 0; i < runs.length; i += 2) inside.fill(1, runs[i], runs[i] + runs[i + 1]);
    const [fill, edge] = found.acts.length ? [0x4040d6ff, 0xff40d6ff] : [0x28ffffff, 0xaaffffff];
    for (let i = 0; i < inside.length; i++) {
      if (!inside[i]) continue;
      const rim = !inside[i - 1] || !inside[i + 1] || !inside[i - width] || !inside[i + width];
      pixels[i] = rim ? edge : fill;
    }
    pen.putImageData(image, 0, 0);
  }
  if (spot) {
    pen.strokeStyle = "#fff";
    pen.lineWidth = width / 150;
    pen.beginPath();
    pen.arc(spot[0] * width, spot[1] * height, width / 40, 0, 7);
    pen.stroke();
  }
}
