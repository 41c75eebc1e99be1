// CerealBar: the leader's board and queue, or the follower's view and current instruction.

import { Board } from "../board.js";
import { Eyes } from "../eyes.js";
import { Seat } from "../seat.js";
import { acting, bar, console_, ending, growing, page } from "../parts.js";
import { confirmed, h, fill, live, style, title } from "../ui.js";
import { instructions } from "./cerealbar_words.js";

style("pages/cerealbar.css");
const seat = Seat.here();
const { role, kind } = document.body.dataset;
const leads = role === "leader", tutorial = kind === "tutorial";
const log = console_(seat);
const act = acting(seat, log);
const numbers = { turn: live("span.badge"), score: h("strong"), steps: h("strong"), turns: h("strong"), time: h("strong", { role: "timer" }) };
const LATE_S = leads ? 15 : 5;
const MOVES = [["Forward", "↑", "ArrowUp"], ["Backward", "↓", "ArrowDown"], ["TurnLeft", "↶", "ArrowLeft"], ["TurnRight", "↷", "ArrowRight"]];
const NAMES = { Forward: "Forward", Backward: "Back", TurnLeft: "Left", TurnRight: "Right" };
const STATES = { done: "Done", pending: "Waiting", cancelled: "Cancelled" };
const buttons = Object.fromEntries(MOVES.map(([name, sign, key]) => [name, h("button", { type: "button", "aria-keyshortcuts": key, onclick: () => act(name) }, h("span", { "aria-hidden": "true" }, sign), ` ${NAMES[name]}`)]));
const queue = growing("queue", "Instructions");
const words = h("details.panel.words", {}, h("summary", {}, "In words"), h("pre.percept", { tabIndex: 0 }));
const lessons = h("p.lessons", { role: "status", "aria-live": "polite" });
const keys = Object.fromEntries(MOVES.map(([name, , key]) => [key, () => act(name)]));
let ends = null, told = "", score = null;

const mine = () => seat.state && !seat.state.over && seat.state.role === role;
const current = () => seat.state.views.instructions.findIndex((each) => each.state === "pending");
const button = (name, key, onclick) => h("button", { type: "button", "aria-keyshortcuts": key, onclick }, name, h("kbd", { "aria-hidden": "true" }, key.toUpperCase()));

function item({ text, state }, i) {
  const now = i === current();
  return h(now ? "li.now" : `li.${state}`, {}, h("span.state", {}, now ? "Current" : STATES[state]), h("span.text", {}, text));
}

// The first lesson that is not done.
function lesson(all) {
  const at = all.findIndex((each) => !each.done);
  return at < 0 ? "All is done." : [h("strong", {}, `Step ${at + 1} of ${all.length}. `), all[at].text];
}

function show({ state }) {
  const { views } = state;
  document.body.dataset.whose = state.over ? "over" : mine() ? "mine" : "theirs";
  numbers.turn.textContent = state.over ? "The game is over" : mine() ? "Your turn" : `The ${title(state.role ?? "")}'s turn`;
  numbers.score.textContent = views.score;
  if (score !== null && views.score > score) log.write("A set: one point for both of you.", true);
  score = views.score;
  numbers.steps.textContent = state.over ? "–" : `${views.steps} of ${views.most_steps}`;
  numbers.turns.textContent = views.turns_left;
  ends = views.seconds_left === null ? null : performance.now() + 1000 * views.seconds_left;
  for (const [name, each] of Object.entries(buttons)) each.disabled = !mine() || !state.offers.some((offer) => offer.name === name);
  const list = JSON.stringify(views.instructions);
  if (list !== told) { fill(queue.list, views.instructions.map(item)); queue.end(); told = list; }
  if (views.lessons) fill(lessons, lesson(views.lessons));
  words.lastChild.textContent = state.text;
  if (state.last && !state.last.success) log.write(state.last.message, false);
}

setInterval(() => {
  const timed = ends !== null && seat.state && !seat.state.over;
  const left = timed ? Math.max(0, Math.ceil((ends - performance.now()) / 1000)) : null;
  numbers.time.textContent = timed ? `${left} s` : "–";
  numbers.time.classList.toggle("late", timed && left <= LATE_S);
}, 250);

addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, [role=log], pre") || event.ctrlKey || event.metaKey || event.altKey) return;
  const meant = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!meant || !mine() || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  meant();
});

const moves = h("div.moves", { role: "group", "aria-label": "Moves" }, Object.values(buttons));
const figures = tutorial ? h("section.panel", { "aria-label": "Tutorial" }, lessons) : h("dl.figures", {}, Object.entries({ Score: "score", "Steps left": "steps", "Turns left": "turns", Time: "time" })
  .map(([name, key]) => h("div", {}, h("dt", {}, name), h("dd", {}, numbers[key]))));

function eyes(label) {
  const canvas = h("canvas.screen", { width: 960, height: 600, role: "img", "aria-label": label });
  const drawn = new Eyes(canvas);
  seat.on("state", ({ state }) => { drawn.show(state.views.board, seat.brief.legend); canvas.dataset.turn = state.turn; });
  return canvas;
}

function selection({ cards, valid }) {
  const names = cards.filter((card) => card.selected).map(called);
  return names.length ? `Selected: ${names.join("; ")}.${valid ? "" : " These cannot become a set."}` : "No card is selected.";
}

function called({ number, colour, shape }) {
  return `${number} ${colour} ${shape}${number === 1 ? "" : shape.endsWith("s") ? "es" : "s"}`;
}

function boardOf() {
  const canvas = h("canvas", { role: "img", "aria-label": "The board" });
  const board = new Board(canvas);
  const tip = h("p.tip.quiet", { role: "status", "aria-live": "polite" });
  const calm = () => { tip.textContent = selection(seat.state.views.board); };
  canvas.addEventListener("pointermove", (event) => { const card = board.under(event); if (card) tip.textContent = title(called(card)); else calm(); });
  canvas.addEventListener("pointerleave", calm);
  const pressed = (name, key, toggle) => {
    const made = button(name, key, () => { toggle(); made.setAttribute("aria-pressed", String(board[name === "Plan" ? "planned" : "overhead"])); board.draw(); });
    made.setAttribute("aria-pressed", "false");
    keys[key] = () => made.click();
    return made;
  };
  const turned = pressed("From above", "c", () => { board.overhead = !board.overhead; });
  const planned = pressed("Plan", "p", () => { board.planned = !board.planned; });
  planned.hidden = true;
  seat.on("state", ({ state }) => {
    board.plan = state.extras?.follower?.plan ?? null;
    planned.hidden = !board.plan;
    board.wanted = state.views.wanted ?? [];
    board.show(state.views.board, seat.brief.legend);
    calm();
  });
  new ResizeObserver(() => board.draw()).observe(document.body);
  return h("section.panel.board", { "aria-label": "The board" }, h("div.sheet", {}, canvas), h("div.row", {}, turned, planned, tip));
}

function leader() {
  const box = h("input", { type: "text", autocomplete: "off", maxLength: 1000, placeholder: "Tell the Follower what to do…", "aria-label": "Instruction", "aria-keyshortcuts": "t",
    onkeydown: (event) => { if (event.key === "Escape") box.blur(); } });
  const send = h("button.primary", {}, "Send");
  const end = button("End turn", "n", async () => {
    const waiting = current() >= 0;
    if (waiting || await confirmed("No instruction waits: the Follower's turn is skipped. End your turn?", "End turn", "Go on")) act("EndTurn");
  });
  keys.t = () => box.focus();
  keys.n = () => end.click();
  const form = h("form.row.say", { onsubmit: async (event) => {
    event.preventDefault();
    if (!box.value.trim()) return;
    if (await act("Say", { text: box.value.trim() })) box.value = "";
  } }, box, send);
  seat.on("state", ({ state }) => {
    send.disabled = box.disabled = !mine();
    end.disabled = !mine() || (current() < 0 && state.views.seconds_left !== null);
    end.title = mine() && end.disabled ? "First tell the Follower what to do; without it your turn ends when its time is up." : "";
  });
  end.hidden = tutorial;
  return h("main.cerealbar.leads", {}, boardOf(),
    h("div.column", {}, figures,
      h("figure.panel.inset", {}, eyes("What the Follower sees"), h("figcaption", {}, "What the Follower sees")),
      h("section.panel.talk", { "aria-label": "Instructions" }, queue.element, form, h("div.row", {}, moves, h("span.grow"), end)), log.element, words));
}

function follower() {
  const now = h("p.current", { role: "status", "aria-live": "assertive" });
  const done = button("Done, next instruction ", "d", () => act("Done"));
  done.classList.add("primary");
  keys.d = () => done.click();
  seat.on("state", ({ state }) => {
    const at = current();
    now.textContent = at < 0 ? "Wait for the Leader's next instruction." : state.views.instructions[at].text;
    now.classList.toggle("quiet", at < 0);
    done.disabled = !mine() || at < 0;
  });
  return h("main.cerealbar.follows", {},
    h("section.panel.eyes", { "aria-label": "What you see" }, now, eyes("What you see"), h("div.row", {}, moves, h("span.grow"), done)),
    h("div.column", {}, figures, h("section.panel.talk", { "aria-label": "Instructions" }, queue.element), log.element, words));
}

seat.on("state", show);
ending(seat, ({ how, success }) => tutorial ? (success ? [h("h2", {}, "Well done."), h("p", {}, "You know how to play this role.")] : [h("h2", {}, "The tutorial has ended."), h("p", {}, "Not all of it is done. You can begin it again.")])
  : [h("h2", {}, `${seat.state.views.score} ${seat.state.views.score === 1 ? "point" : "points"}`), h("p", {}, `${how === "done" ? "The turns have run out." : "The game has ended early."} Thank you for playing.`)]);
page(bar(seat, `${tutorial ? "Tutorial" : "CerealBar"}: the ${title(role)}`, numbers.turn, instructions(role)), leads ? leader() : follower());
seat.connect();
