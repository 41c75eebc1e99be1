// CerealBar: the leader's board and queue, or the follower's view and current instruction.

import { Board } from "../board.js";
import { Eyes } from "../eyes.js";
import { Seat } from "../seat.js";
import { acting, bar, begin, console_, ending, growing, unread } from "../parts.js";
import { confirmed, excuse, h, fill, live, style, title } from "../ui.js";
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
const buttons = Object.fromEntries(MOVES.map(([name, sign, key]) => [name, h("button", { type: "button", "aria-keyshortcuts": key, onclick: () => move(name) }, h("span", { "aria-hidden": "true" }, sign), h("span", {}, NAMES[name]))]));
const queue = growing("queue", "Instructions");
const words = h("details.panel.words", {}, h("summary", {}, "In words"), h("pre.percept", { tabIndex: 0 }));
const lessons = h("p.lessons", { role: "status", "aria-live": "polite" });
const keys = Object.fromEntries(MOVES.map(([name, , key]) => [key, () => move(name)]));
let ends = null, told = "", heard = 0, score = null;
const grown = unread(seat, queue.element, queue.end);

function move(name) {
  const why = seat.state.views.blocked[name];
  if (why) log.write(why, false);
  else act(name);
}

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
  return at < 0 ? "All is done." : [h("strong", {}, `Step ${at + 1} of ${all.length}. `), all[at].text, all[at].keys && h("span.keyed", {}, ` Keys: ${all[at].keys}.`)];
}

function show({ state }) {
  const { views } = state;
  document.body.dataset.whose = state.over ? "over" : mine() ? "mine" : "theirs";
  numbers.turn.textContent = state.over ? "The game is over" : mine() ? "Your turn" : `${title(state.role ?? "")}'s turn`;
  numbers.score.textContent = views.score;
  if (score !== null && views.score > score) log.write("A set: one point for both of you.", true);
  score = views.score;
  numbers.steps.textContent = state.over ? "–" : `${views.steps} of ${views.most_steps}`;
  numbers.turns.textContent = views.turns_left;
  ends = views.seconds_left === null ? null : performance.now() + 1000 * views.seconds_left;
  for (const [name, each] of Object.entries(buttons)) { each.disabled = !mine(); excuse(each, views.blocked[name], ""); }
  const list = JSON.stringify(views.instructions);
  if (list !== told) {
    const news = told ? views.instructions.length - heard : 0;
    fill(queue.list, views.instructions.map(item));
    grown(leads ? 0 : news, leads || !told);
    told = list;
    heard = views.instructions.length;
  }
  if (views.lessons) fill(lessons, lesson(views.lessons));
  words.lastChild.textContent = state.text;
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
  let was = -1;
  const calm = () => { tip.textContent = selection(seat.state.views.board); };
  for (const kind of ["pointermove", "click"]) canvas.addEventListener(kind, (event) => { const card = board.under(event); if (card) tip.textContent = title(called(card)); else calm(); });
  canvas.addEventListener("pointerleave", calm);
  const sheet = h("div.sheet", {}, canvas);
  const pressed = (name, key, what) => {
    const show = () => { made.setAttribute("aria-pressed", String(board[what])); board.draw(); };
    const made = button(name, key, () => { board[what] = !board[what]; show(); });
    keys[key] = () => made.click();
    made.setAttribute("aria-pressed", String(board[what]));
    return made;
  };
  const centre = () => {
    if (board.closer) sheet.tabIndex = 0;
    else sheet.removeAttribute("tabindex");
    if (board.closer && board.board) board.centre(role);
  };
  board.closer = matchMedia("(max-width: 760px)").matches && !tutorial;
  const turned = pressed("From above", "c", "overhead");
  const planned = pressed("Plan", "p", "planned");
  const closer = pressed("Closer", "z", "closer");
  closer.addEventListener("click", centre);
  turned.addEventListener("click", centre);
  planned.hidden = true;
  seat.on("state", ({ state }) => {
    board.plan = state.extras?.follower?.plan ?? null;
    planned.hidden = !board.plan;
    board.wanted = state.views.wanted ?? [];
    board.show(state.views.board, seat.brief.legend);
    const { at } = state.views.board.players[role];
    if (at !== was) centre();
    was = at;
    calm();
  });
  new ResizeObserver(() => board.draw()).observe(document.body);
  return h("section.panel.board", { "aria-label": "The board" }, sheet, h("div.row", {}, turned, closer, planned, tip));
}

function leader() {
  const box = h("input", { type: "text", autocomplete: "off", maxLength: 1000, placeholder: "Tell the Follower what to do…", "aria-label": "Instruction", "aria-keyshortcuts": "t",
    onkeydown: (event) => { if (event.key === "Escape") box.blur(); } });
  const send = h("button.primary", {}, "Send");
  const early = () => (current() < 0 && seat.state.views.seconds_left !== null ? "First tell the Follower what to do; without that your turn ends when its time is up." : "");
  const end = button("End turn", "n", async () => {
    const why = early();
    if (why) { log.write(why, false); return; }
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
    end.disabled = !mine();
    excuse(end, mine() && early(), "");
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
begin(seat, bar(seat, tutorial ? "Tutorial" : title(role), numbers.turn, instructions(role)), leads ? leader() : follower());
