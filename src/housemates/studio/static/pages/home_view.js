// A picture of a home with a menu on it: what is under the pointer lights up, and a click offers what can be
// done to it. What would fail is offered too, with the reason, and cannot be chosen. The server tells all this.

import { screen } from "../seat.js";
import { excuse, fill, h, title } from "../ui.js";

const STEP = 0.02;
const PATIENCE_MS = 60;

export function view(seat, act, log) {
  const canvas = screen(seat, "view", "What you see. With the picture focused, arrow keys move a pointer, Enter acts.");
  canvas.tabIndex = 0;
  const glow = h("canvas.over", { "aria-hidden": "true" });
  const tip = h("p.tip", { role: "status", "aria-live": "polite", hidden: true });
  const menu = h("div.menu.panel", { role: "menu", "aria-label": "What can be done", hidden: true });
  const stack = h("div.stack.view", {}, canvas, glow, tip, menu);
  const panel = h("div.touches", { role: "group", "aria-label": "Objects: choose, then click the picture" });
  const buttons = new Map(), nothing = new Map();
  let armed = null, spot = null, found = null, asking = false, cross = false;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [clamp((event.clientX - box.left) / box.width), clamp((event.clientY - box.top) / box.height)];
  };
  const point = async ([x, y]) => (await seat.point("view", x, y).catch(() => null)) ?? null;
  const look = async () => {
    if (asking || !spot || !menu.hidden) return;
    asking = true;
    const asked = spot;
    found = await point(asked);
    asking = false;
    light();
    if (spot && (spot[0] !== asked[0] || spot[1] !== asked[1])) setTimeout(look, PATIENCE_MS);
  };
  const possible = () => found?.acts.filter((each) => !each.refusal && (!armed || each.act === armed)) ?? [];
  const light = () => {
    paint(glow, found, possible().length, cross && spot);
    canvas.classList.toggle("can", possible().length > 0);
    tip.hidden = !found;
    if (found) tip.textContent = [title(found.name), ...found.states].join(", ") + whyNot();
  };
  const whyNot = () => {
    if (possible().length) return "";
    const refused = found.acts.find((each) => !armed || each.act === armed);
    return refused ? ` · ${refused.refusal}` : " · nothing to do here now";
  };
  const forget = () => { spot = found = null; cross = false; light(); };
  const close = () => { menu.hidden = true; };
  const choose = async (name, [x, y]) => { close(); arm(null); canvas.focus({ preventScroll: true }); await act(name, { point: [x, y] }); look(); };
  const entry = ({ act: name, label, refusal }, where) => h("button", { type: "button", role: "menuitem", "aria-disabled": refusal ? "true" : null, onclick: () => { if (!refusal) choose(name, where); } },
    h("span", {}, label), refusal && h("small", {}, refusal));
  const offer = (where) => {
    fill(menu, found.acts.map((each) => entry(each, where)), h("button", { type: "button", role: "menuitem", onclick: () => { close(); canvas.focus(); } }, "Never mind"));
    menu.hidden = false;
    menu.style.left = `${Math.max(4, Math.min(where[0] * stack.clientWidth, stack.clientWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(where[1] * stack.clientHeight, stack.clientHeight - menu.offsetHeight - 4))}px`;
    menu.firstChild.focus({ preventScroll: true });
  };
  const click = async (where) => {
    if (!menu.hidden) { close(); return; }
    spot = where;
    found = await point(where);
    light();
    if (!armed) { if (found?.acts.length) offer(where); return; }
    const meant = found?.acts.find((each) => each.act === armed);
    if (meant && !meant.refusal) await choose(armed, where);
    else log.write(meant?.refusal ?? nothing.get(armed), false);
  };
  const arm = (name) => {
    const lacking = name && seat.state?.views.lacking?.[name];
    if (lacking) { log.write(lacking, false); return; }
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
  const keyed = { Escape: () => arm(null) };
  seat.on("hello", ({ brief }) => {
    buttons.clear();
    for (const key of Object.keys(keyed)) if (key !== "Escape") delete keyed[key];
    for (const { act: name, text, key, nothing: none } of brief.legend.touches) {
      nothing.set(name, none);
      keyed[key] = () => arm(name);
      buttons.set(name, h("button", { type: "button", "aria-pressed": "false", "aria-keyshortcuts": key, onclick: () => arm(name) }, text, h("kbd", { "aria-hidden": "true" }, key)));
    }
    fill(panel, [...buttons.values()]);
  });
  seat.on("state", ({ state }) => {
    for (const [name, button] of buttons) excuse(button, state.views.lacking[name], "Then click the picture.");
  });
  return { element: stack, panel, keyed };
}

function clamp(value) {
  return Math.min(Math.max(value, 0), 0.9999);
}

// Paints the thing that was found, and the pointer that keys move.
function paint(glow, found, usable, spot) {
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
    const [fill, edge] = usable ? [0x4040d6ff, 0xff40d6ff] : [0x28ffffff, 0xaaffffff];
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
