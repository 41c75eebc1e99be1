"use strict";
// Lists of episodes and single episodes are scripts that call housemates.got, as pages from disk may not fetch.
const PAGE = 100;
const lists = {}, waiting = {};
let chosen = { run: RUNS[0].key, shown: PAGE, words: "", failed: false };
let playing = null;

window.housemates = {
  got([key, second, episode]) {
    const name = episode === undefined ? key : `${key}/${second}`;
    const value = episode === undefined ? second : episode;
    if (episode === undefined) lists[key] = value;
    (waiting[name] || []).forEach((then) => then(value));
    delete waiting[name];
  },
};

function load(name, then) {
  if (lists[name]) return then(lists[name]);
  if (waiting[name]) return waiting[name].push(then);
  waiting[name] = [then];
  const script = document.createElement("script");
  script.src = `data/${name}.js`;
  script.onload = () => script.remove();
  document.head.append(script);
}

function make(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else made.setAttribute(name, value);
  }
  return made;
}

const root = document.getElementById("episodes");
const player = make("div", null, { id: "player", hidden: "" });
const list = make("div", null, { class: "scroll" });
root.append(controls(), player, list);

function controls() {
  const bar = make("div", null, { class: "controls" });
  const runs = make("select", null, { "aria-label": "run", onchange: () => choose({ run: runs.value }) });
  RUNS.forEach((each) => runs.append(make("option", each.title, { value: each.key })));
  const words = make("input", null, { type: "search", placeholder: "id or task", "aria-label": "id or task", oninput: () => choose({ words: words.value.toLowerCase() }) });
  const label = make("label", " failed only");
  const failed = make("input", null, { type: "checkbox", onchange: () => choose({ failed: failed.checked }) });
  label.prepend(failed);
  bar.append(runs, words, label);
  return bar;
}

function choose(change) {
  chosen = { ...chosen, shown: PAGE, ...change };
  load(chosen.run, show);
}

function show(episodes) {
  const found = episodes.map((each, number) => ({ ...each, number })).filter((each) =>
    (!chosen.failed || each.success !== 1) && `${each.id} ${each.task}`.toLowerCase().includes(chosen.words));
  const table = make("table", null, { id: "list" });
  const head = make("tr");
  ["episode", "task", "success", "acts", "failures", "ended", "seconds", "pictures"].forEach((each) => head.append(make("th", each)));
  table.append(head);
  for (const each of found.slice(0, chosen.shown)) {
    const row = make("tr", null, { tabindex: "0", onclick: () => open(each.number), onkeydown: (event) => event.key === "Enter" && open(each.number) });
    const success = each.success === null || each.success === undefined ? "" : each.success === 1 ? "yes" : each.success === 0 ? "no" : each.success.toFixed(2);
    [each.id, each.task, success, each.steps, each.failures, each.error || each.ended, each.seconds, each.pictures ? "yes" : ""].forEach((cell, place) =>
      row.append(make("td", cell, place === 5 && each.error ? { class: "failed long" } : {})));
    table.append(row);
  }
  const parts = [make("p", `${found.length} of ${episodes.length} episodes; choose one to play it.`), table];
  if (found.length > chosen.shown) parts.push(make("button", `show ${PAGE} more`, { class: "more", onclick: () => { chosen.shown += PAGE; show(episodes); } }));
  list.replaceChildren(...parts);
}

function open(number) {
  const run = chosen.run;
  load(`${run}/${number}`, (episode) => begin(episode, run, number));
}

function begin(episode, run, number) {
  playing = { episode, step: 0, timer: null };
  history.replaceState(null, "", `#${run}/${number}`);
  const { result } = episode;
  const bar = make("div", null, { class: "controls" });
  const slider = make("input", null, { type: "range", min: 0, max: episode.steps?.length || 0, value: 0, "aria-label": "step", oninput: () => go(+slider.value) });
  const play = make("button", "▶", { title: "play", onclick: toggle });
  bar.append(
    make("button", "◀", { title: "one act back", onclick: () => go(playing.step - 1) }), play,
    make("button", "▶|", { title: "one act on", onclick: () => go(playing.step + 1) }), slider,
    make("button", "next failure", { onclick: nextFailure }), make("button", "close", { onclick: close }));
  const scores = Object.entries(result.scores || {}).map(([name, value]) => `${name} ${+value.toFixed(3)}`).join(", ");
  const head = make("p", `${result.task} · ${episode.ended || result.ended} · ${scores || "no scores"}`);
  const parts = [make("h3", episode.id), head];
  if (result.error) parts.push(make("p", result.error, { class: "failed" }));
  if (result.traceback) parts.push(folded("where it was", result.traceback));
  for (const [role, told] of Object.entries(episode.briefs || {})) parts.push(folded(`what the ${role} was told`, `${told.goal}\n\n${told.rules}`));
  const step = make("div", null, { class: "step", "aria-live": "polite" });
  const views = make("div", null, { class: "views" });
  const acts = make("div", null, { class: "acts" });
  (episode.steps || []).forEach((turn, place) => acts.append(make("div", `${place + 1}. ${turn.role}: ${told(turn)}`, { class: turn.success ? "" : "refused", onclick: () => go(place + 1) })));
  player.replaceChildren(...parts, bar, views, step, acts);
  player.hidden = false;
  Object.assign(playing, { slider, play, step_: step, views, acts });
  go(0);
  player.scrollIntoView({ block: "start" });
}

function folded(title, text) {
  const made = make("details");
  made.append(make("summary", title), make("pre", text));
  return made;
}

function told(turn) {
  if (!turn.act) return `${turn.answer || "?"} (makes no sense)`;
  const given = Object.entries(turn.act.arguments || {}).map(([name, value]) =>
    name === "mask" ? "(mask)" : Array.isArray(value) ? `(${value.map((each) => (+each).toFixed(2)).join(", ")})` : value);
  return [turn.act.name, ...given].join(" ");
}

function go(step) {
  const { episode, slider, step_, views, acts } = playing;
  const turns = episode.steps || [];
  step = Math.max(0, Math.min(turns.length, step));
  playing.step = step;
  slider.value = step;
  const turn = turns[step - 1];
  const parts = [];
  if (!turn) parts.push(make("p", "The start."));
  else {
    parts.push(make("div", `${step} of ${turns.length} · ${turn.role}: ${told(turn)}`, { class: turn.success ? "act" : "act failed" }));
    if (turn.message) parts.push(make("div", turn.message, turn.success ? {} : { class: "failed" }));
  }
  for (const each of turns.slice(0, step).filter((one) => one.act?.arguments?.text).slice(-4)) parts.push(make("div", `${each.role}: ${each.act.arguments.text}`, { class: "said" }));
  const next = turns[step];
  if (next?.text) parts.push(folded(`what the ${next.role} reads then`, next.text));
  step_.replaceChildren(...parts);
  const seen = episode.views?.steps[Math.min(step, (episode.views?.steps.length || 1) - 1)] || {};
  views.replaceChildren(...Object.entries(seen).map(([name, number]) => {
    const figure = make("figure");
    figure.append(make("img", null, { src: episode.views.pictures[number], alt: name }), make("figcaption", name));
    return figure;
  }));
  acts.querySelector(".now")?.classList.remove("now");
  const line = acts.children[step - 1];
  if (line) { line.classList.add("now"); acts.scrollTop = line.offsetTop - acts.offsetTop - 60; }
}

function nextFailure() {
  const place = (playing.episode.steps || []).findIndex((turn, number) => number >= playing.step && !turn.success);
  if (place >= 0) go(place + 1);
}

function toggle() {
  if (playing.timer) return stop();
  playing.play.textContent = "❚❚";
  playing.timer = setInterval(() => (playing.step < (playing.episode.steps || []).length ? go(playing.step + 1) : stop()), 400);
}

function stop() {
  clearInterval(playing.timer);
  playing.timer = null;
  playing.play.textContent = "▶";
}

function close() {
  stop();
  player.hidden = true;
  history.replaceState(null, "", "#");
}

document.addEventListener("keydown", (event) => {
  if (player.hidden || /INPUT|SELECT/.test(event.target.tagName)) return;
  if (event.key === "ArrowRight") go(playing.step + 1);
  if (event.key === "ArrowLeft") go(playing.step - 1);
});

const [run, number] = location.hash.slice(1).split("/");
if (RUNS.some((each) => each.key === run)) choose({ run });
else choose({});
if (number !== undefined) open(+number);
