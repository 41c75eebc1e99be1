// Playing an episode again, act by act: what was seen, said, done, and what changed. No other file is needed.
//
// An episode: {id, steps: [{role, act, answer, success, message, text, at}], briefs, result}.
// What was seen is asked for: seen(step) is, or promises, {pictures: {name: address}, texts, changes}.

const TICK_MS = 400;
const FAR = 10;
const SPOKEN = /^(say|ask|tell|feedback)/i;
const FASTER = { "½×": 0.5, "1×": 1, "2×": 2, "4×": 4 };

export function make(tag, text, attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function folded(title, text) {
  return make("details", null, {}, make("summary", title), make("pre", text));
}

export function told(turn) {
  if (!turn.act) return `${turn.answer || "?"} (makes no sense)`;
  const given = Object.entries(turn.act.arguments || {}).map(([name, value]) =>
    name === "mask" ? "(mask)" : Array.isArray(value) ? `(${value.map((each) => (+each).toFixed(2)).join(", ")})` : value);
  return [turn.act.name, ...given].join(" ");
}

function spoken(turn) {
  return Boolean(turn.act?.arguments?.text) && SPOKEN.test(turn.act.name);
}

export function score(value) {
  return value === null || value === undefined ? "" : value === 1 ? "yes" : value === 0 ? "no" : value.toFixed(2);
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// What is in an episode's `views`, as `seen` wants it; `first` is the step that they begin with.
export function look(views, step, first = 0) {
  const place = Math.max(0, Math.min(step - first, views.steps.length - 1));
  const pictures = Object.fromEntries(Object.entries(views.steps[place] || {}).map(([name, number]) => [name, views.pictures[number]]));
  return { pictures, texts: views.texts?.[place] || {}, changes: views.changes?.[place] || [] };
}

// One episode. It is moved by `Controls`.
export class Player {
  constructor(episode, seen) {
    Object.assign(this, { episode, seen, step: 0 });
    this.now = make("div", null, { class: "step", "aria-live": "polite" });
    this.views = make("div", null, { class: "views" });
    this.changes = make("ul", null, { class: "changes" });
    this.talk = make("ol", null, { class: "talk", tabindex: "0", "aria-label": "Dialogue" });
    this.dialogue = make("div", null, {}, make("h4", "Dialogue"), this.talk);
    this.acts = make("ol", null, { class: "acts", tabindex: "0", "aria-label": "Acts" });
    this.element = make("article", null, { class: "player" }, ...this.head(), make("div", null, { class: "stage" }, this.views,
      make("div", null, { class: "account" }, this.now, this.changes, this.dialogue, make("h4", "Acts"), this.acts)), ...this.foot());
    this.listed = 0;
    this.update(episode);
  }

  head() {
    const { episode } = this;
    const result = episode.result || {};
    const scores = Object.entries(result.scores || {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${+Number(value).toFixed(3)}`).join(", ");
    const parts = [make("h3", episode.id), make("p", [result.task, episode.ended || result.ended || "going on", scores || "no scores"].filter(Boolean).join(" · "), { class: "facts" })];
    if (result.error) parts.push(make("p", result.error, { class: "failed" }));
    const goals = new Set(Object.values(episode.briefs || {}).map((brief) => brief.goal).filter(Boolean));
    return [...parts, ...[...goals].map((each) => make("p", each, { class: "goal", tabindex: "0" }))];
  }

  foot() {
    const { briefs, result } = this.episode;
    const parts = Object.entries(briefs || {}).map(([role, brief]) => folded(`what the ${role} was told`, brief.rules));
    return result?.traceback ? [folded("where it was", result.traceback), ...parts] : parts;
  }

  get length() { return this.episode.steps?.length || 0; }

  // Takes over an episode that has grown meanwhile.
  update(episode) {
    this.episode = episode;
    const turns = episode.steps || [];
    turns.slice(this.listed).forEach((turn, place) => {
      const number = this.listed + place + 1;
      this.acts.append(make("li", `${turn.role}: ${told(turn)}`, { class: turn.success ? "" : "refused", onclick: () => this.chosen?.(number) }));
    });
    this.listed = turns.length;
    this.dialogue.hidden = !turns.some(spoken);
  }

  async go(step) {
    const turns = this.episode.steps || [];
    this.step = step = Math.max(0, Math.min(turns.length, step));
    const turn = turns[step - 1];
    const when = turn?.at ? ` · ${minutes(turn.at - turns[0].at)}` : "";
    const parts = turn ? [make("div", `${turn.role}: ${told(turn)}${when}`, { class: turn.success ? "act" : "act failed" })] : [make("div", "The start.", { class: "act" })];
    if (turn?.message) parts.push(make("div", turn.message, turn.success ? {} : { class: "failed" }));
    const next = turns[step];
    if (next?.text) parts.push(folded(`what the ${next.role} reads then`, next.text));
    this.now.replaceChildren(...parts);
    this.talk.replaceChildren(...turns.slice(0, step).filter(spoken).map((one) => make("li", `${one.role}: ${one.act.arguments.text}`, { class: "said" })));
    this.talk.scrollTop = this.talk.scrollHeight;
    this.acts.querySelector(".now")?.classList.remove("now");
    const line = this.acts.children[step - 1];
    if (line) { line.classList.add("now"); this.acts.scrollTop = line.offsetTop - this.acts.offsetTop - 60; } else this.acts.scrollTop = 0;
    await this.show(step);
  }

  async show(step) {
    let found;
    this.views.dataset.wanted = step;
    try { found = await this.seen(step); } catch (error) { found = { pictures: {}, texts: {}, changes: [], trouble: error.message }; }
    if (this.step !== step) return;
    const pictures = Object.entries(found.pictures).map(([name, address]) => make("figure", null, {}, make("img", null, { src: address, alt: name }), make("figcaption", name)));
    const texts = Object.entries(found.texts).map(([role, text]) => make("figure", null, { class: "read" }, make("pre", text, { tabindex: "0" }), make("figcaption", `${role}: text`)));
    this.views.replaceChildren(...pictures, ...texts, ...(found.trouble ? [make("p", found.trouble, { class: "failed" })] : []));
    this.changes.replaceChildren(...found.changes.map((each) => make("li", each)));
    this.views.dataset.step = step;
  }
}

// The slider and the keys of one episode, or of several that are moved together.
export class Controls {
  constructor(players, ...more) {
    Object.assign(this, { players, step: 0, timer: null, speed: 1 });
    this.slider = make("input", null, { type: "range", min: 0, value: 0, "aria-label": "step", oninput: () => this.go(+this.slider.value) });
    this.place = make("output", "", { class: "place" });
    this.button = make("button", "▶", { type: "button", title: "play (space)", onclick: () => this.toggle() });
    const speed = make("select", null, { "aria-label": "speed", onchange: () => { this.speed = FASTER[speed.value]; if (this.timer) { this.stop(); this.toggle(); } } },
      ...Object.keys(FASTER).map((each) => make("option", each, { value: each })));
    speed.value = "1×";
    this.element = make("div", null, { class: "controls" },
      make("button", "◀", { type: "button", title: "one act back", onclick: () => this.go(this.step - 1) }), this.button,
      make("button", "▶|", { type: "button", title: "one act on", onclick: () => this.go(this.step + 1) }), this.slider, this.place, speed,
      make("button", "next failure", { type: "button", onclick: () => this.nextFailure() }), ...more);
    for (const each of players) each.chosen = (step) => this.go(step);
    this.keys = (event) => this.pressed(event);
    document.addEventListener("keydown", this.keys);
    this.go(0);
  }

  get length() { return Math.max(...this.players.map((each) => each.length)); }

  go(step) {
    this.step = Math.max(0, Math.min(this.length, step));
    this.slider.max = this.length;
    this.slider.value = this.step;
    this.place.textContent = `${this.step} of ${this.length}`;
    return Promise.all(this.players.map((each) => each.go(this.step)));
  }

  nextFailure() {
    const places = this.players.map((each) => (each.episode.steps || []).findIndex((turn, number) => number >= this.step && !turn.success)).filter((each) => each >= 0);
    if (places.length) this.go(Math.min(...places) + 1);
  }

  toggle() {
    if (this.timer) { this.stop(); return; }
    if (this.step >= this.length) this.go(0);
    this.button.textContent = "❚❚";
    this.timer = setInterval(() => (this.step < this.length ? this.go(this.step + 1) : this.stop()), TICK_MS / this.speed);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "▶";
  }

  close() {
    this.stop();
    document.removeEventListener("keydown", this.keys);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    if (event.key === " " && /BUTTON|SUMMARY|A/.test(event.target.tagName)) return;
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, PageUp: this.step - FAR, PageDown: this.step + FAR, Home: 0, End: this.length }[event.key];
    if (to === undefined && event.key !== " ") return;
    event.preventDefault();
    if (to === undefined) this.toggle(); else this.go(to);
  }
}
