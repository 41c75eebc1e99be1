// CerealBar: the leader's board and queue, or the follower's view and current instruction.

import { Board } from "../board.js";
import { Seat, screen } from "../seat.js";
import { bar, console_, ending, page } from "../parts.js";
import { confirmed, h, fill, live, style, title } from "../ui.js";

style("pages/cerealbar.css");
const seat = Seat.here();
const role = document.body.dataset.role;
const leads = role === "leader";
const log = console_(seat);
const numbers = { turn: live("span.badge"), score: h("strong"), steps: h("strong"), turns: h("strong"), time: h("strong", { role: "timer" }) };
const KEYS = { ArrowUp: "Forward", ArrowDown: "Backward", ArrowLeft: "TurnLeft", ArrowRight: "TurnRight" };
const WORDS = { Forward: "↑ Forward", Backward: "↓ Back", TurnLeft: "↶ Left", TurnRight: "↷ Right" };
const STATES = { done: "Done", pending: "Waiting", cancelled: "Cancelled" };
const buttons = Object.fromEntries(Object.entries(WORDS).map(([name, text]) => [name, h("button", { type: "button", onclick: () => act(name) }, text)]));
const queue = h("ol.queue", { "aria-label": "Instructions", "aria-live": "polite", tabIndex: 0 });
const words = h("details.panel", {}, h("summary", {}, "In words"), h("pre.percept", { tabIndex: 0 }));
let ends = null;

async function act(name, args = {}) {
  try { await seat.act(name, args); } catch (error) { log.write(error.message, false); }
}

const mine = () => seat.state && !seat.state.over && seat.state.role === role;
const current = () => seat.state.views.instructions.findIndex((each) => each.state === "pending");

function item({ text, state }, i) {
  const now = i === current();
  return h(now ? "li.now" : `li.${state}`, {}, h("span.state", {}, now ? "Current" : STATES[state]), h("span.text", {}, text));
}

function show({ state }) {
  const { views } = state;
  document.body.dataset.turn = state.over ? "over" : mine() ? "mine" : "theirs";
  numbers.turn.textContent = state.over ? "The game is over" : mine() ? "Your turn" : `The ${title(state.role ?? "")} moves`;
  numbers.score.textContent = views.score;
  numbers.steps.textContent = state.over ? "–" : `${views.steps} of ${views.most_steps}`;
  numbers.turns.textContent = views.turns_left;
  ends = views.seconds_left === null ? null : performance.now() + 1000 * views.seconds_left;
  for (const [name, button] of Object.entries(buttons)) button.disabled = !mine() || !state.offers.some((each) => each.name === name);
  fill(queue, views.instructions.map(item));
  queue.scrollTop = queue.scrollHeight;
  words.lastChild.textContent = state.text;
  if (state.last && !state.last.success) log.write(state.last.message, false);
}

setInterval(() => {
  const timed = ends !== null && seat.state && !seat.state.over;
  const left = timed ? Math.max(0, Math.ceil((ends - performance.now()) / 1000)) : null;
  numbers.time.textContent = timed ? `${left} s` : "–";
  numbers.time.classList.toggle("late", timed && left <= 5);
}, 250);

addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const name = KEYS[event.key] ?? { d: "Done", D: "Done" }[event.key];
  if (!name || !mine() || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  act(name);
});

const moves = h("div.moves", { role: "group", "aria-label": "Moves" }, Object.values(buttons));
const figures = h("dl.figures", {}, Object.entries({ Score: "score", "Steps left": "steps", "Turns left": "turns", Time: "time" })
  .map(([name, key]) => h("div", {}, h("dt", {}, name), h("dd", {}, numbers[key]))));

function leader() {
  const canvas = h("canvas", { role: "img", "aria-label": "The board" });
  const board = new Board(canvas);
  const tip = h("p.tip.quiet", { "aria-live": "polite" });
  canvas.addEventListener("pointermove", (event) => {
    const card = board.under(event);
    tip.textContent = card ? `${card.number} ${card.colour} ${card.shape}${card.selected ? ", selected" : ""}` : "";
  });
  const turned = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    board.overhead = !board.overhead;
    turned.setAttribute("aria-pressed", String(board.overhead));
    board.draw();
  } }, "From above");
  const box = h("input", { type: "text", autocomplete: "off", maxLength: 1000, placeholder: "Tell the Follower what to do…", "aria-label": "Instruction" });
  const send = h("button.primary", {}, "Send");
  const end = h("button", { type: "button", onclick: async () => {
    const waiting = seat.state.views.instructions.some((each) => each.state === "pending");
    if (waiting || await confirmed("No instruction waits: the Follower's turn is skipped. End your turn?", "End turn", "Go on")) act("EndTurn");
  } }, "End turn");
  const form = h("form.row.say", { onsubmit: async (event) => {
    event.preventDefault();
    if (!box.value.trim()) return;
    await act("Say", { text: box.value.trim() });
    box.value = "";
  } }, box, send);
  seat.on("state", ({ state }) => {
    board.show(state.views.board, state.views.legend);
    send.disabled = end.disabled = box.disabled = !mine();
  });
  new ResizeObserver(() => board.draw()).observe(document.body);
  return h("main.cerealbar.leads", {},
    h("section.panel.board", { "aria-label": "The board" }, h("div.sheet", {}, canvas), h("div.row", {}, turned, tip)),
    h("div.column", {}, figures,
      h("figure.panel.inset", {}, screen(seat, "view", "What the Follower sees"), h("figcaption", {}, "What the Follower sees")),
      h("section.panel.talk", { "aria-label": "Instructions" }, queue, form, h("div.row", {}, moves, h("span.grow"), end)), log.element, words));
}

function follower() {
  const now = h("p.current", { role: "status", "aria-live": "assertive" });
  const done = h("button.primary", { type: "button", onclick: () => act("Done") }, "Done, next instruction ", h("kbd", {}, "D"));
  seat.on("state", ({ state }) => {
    const at = current();
    now.textContent = at < 0 ? "Wait for the Leader's next instruction." : state.views.instructions[at].text;
    now.classList.toggle("quiet", at < 0);
    done.disabled = !mine() || at < 0;
  });
  return h("main.cerealbar.follows", {},
    h("section.panel.eyes", { "aria-label": "What you see" }, now, screen(seat, "view", "What you see"), h("div.row", {}, moves, h("span.grow"), done)),
    h("div.column", {}, figures, h("section.panel.talk", { "aria-label": "Instructions" }, queue), log.element, words));
}

seat.on("state", show);
ending(seat, () => [h("h2", {}, `${seat.state.views.score} ${seat.state.views.score === 1 ? "point" : "points"}`), h("p", {}, "The turns have run out. Thank you for playing."),
  h("a.button.primary", { href: "/" }, "To the studio")]);
page(bar(seat, `CerealBar: the ${title(role)}`, numbers.turn), leads ? leader() : follower());
seat.connect();
