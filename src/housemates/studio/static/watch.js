// Watching: sessions and runs again, act by act; two side by side; films and data to take away.

import { Controls, Player, look, score } from "./player.js";
import { ask, h, fill, live, style, title } from "./ui.js";
import { when } from "./admin/parts.js";

style("player.css");
style("watch.css");
const AGAIN_MS = 3000;
const SHOWN = 200;
const { token, chunk } = document.body.dataset;
const trouble = live("p", "assertive");
trouble.className = "trouble";
const tools = h("div.row");
const heading = h("h1", {}, "Watch");
const place = h("main.watch");
document.body.replaceChildren(
  h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), heading, h("span.grow"), tools,
    h("nav", { "aria-label": "Studio" }, h("a", { href: "/watch" }, "Watch"), h("a", { href: "/admin" }, "Run a study"))),
  place);

async function trying(work) {
  trouble.textContent = "";
  try { return await work(); } catch (error) { trouble.textContent = error.message; return null; }
}

// Choosing

async function choosing() {
  const found = await ask("GET", "/api/admin/watchable").catch((error) => error);
  if (found instanceof Error) {
    fill(place, h("section.lead-on", {}, h("h2", {}, "Watch"), h("p", {}, "If you were given a link, follow it. All else is for the administrator."),
      h("p", {}, h("a.button.primary", { href: "/admin" }, "Log in")), trouble));
    if (found.message !== "Log in first.") trouble.textContent = found.message;
    return;
  }
  const chosen = [];
  const watch = h("button.primary", { type: "button", disabled: true, onclick: () => trying(() => open(chosen)) }, "Watch");
  const tick = (wanted, name) => h("input", { type: "checkbox", "aria-label": `Watch ${name}`, onchange: (event) => {
    if (event.currentTarget.checked) chosen.push(wanted); else chosen.splice(chosen.indexOf(wanted), 1);
    watch.disabled = chosen.length < 1 || chosen.length > 2;
    watch.textContent = chosen.length > 1 ? "Watch side by side" : "Watch";
  } });
  fill(place, h("p", {}, "Choose one, or two to have them side by side. Whoever has the link may watch, while it goes on and afterwards."), h("div.row", {}, watch), trouble,
    section("Sessions", ["", "Project", "Task", "Who sits where", "Began", "Ended", "Success", "Link"], found.plays.map((each) => [
      tick({ play: each.play }, each.play.slice(0, 8)), each.project, each.task, seats(each.seats), when(each.created), each.ended || "going on", score(each.success), shared(each.link)]),
    "Nobody has played yet."),
    section("Runs", ["", "Run", "Benchmark", "Split", "Who sits where", "Link"], found.runs.map((each) => [
      tick({ run: each.run }, each.run), each.run, each.benchmark, each.split, seats(each.seats), shared(each.link)]),
    "There are none; start the studio with --runs FOLDER, where housemates eval --out has written."));
}

async function open(chosen) {
  const [first, second] = await Promise.all(chosen.map(async (each) => (await ask("POST", "/api/admin/links", each)).link));
  location.href = second ? `${first}?beside=${second.split("/").at(-1)}` : first;
}

function shared(link) {
  if (!link) return "–";
  return h("span.row", {}, h("a", { href: link }, "Open"), h("button.link", { type: "button", onclick: async () => { if (await trying(() => ask("DELETE", `/api/admin/links/${link.split("/").at(-1)}`))) choosing(); } }, "Withdraw"));
}

function seats(found) { return Object.entries(found).map(([role, agent]) => `${title(role)}: ${agent || "person"}`).join(", "); }

function section(name, heads, rows, none) {
  return h("section", { "aria-label": name }, h("h2", {}, name), rows.length ? h("div.scroll", { tabIndex: 0, role: "region", "aria-label": `Table of ${name.toLowerCase()}` }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((each) => h("th", { scope: "col" }, each || h("span.hidden", {}, "Choose"))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each) => h("td", {}, each))))))) : h("p.quiet", {}, none));
}

// Watching

class Side {
  constructor(name) { Object.assign(this, { token: name, parts: new Map(), list: null, number: -1, player: null }); }

  async load() {
    this.list = await ask("GET", `/api/watch/${this.token}`);
    return this;
  }

  get path() { return `/api/watch/${this.token}/${this.number}`; }

  async open(number) {
    this.number = number;
    this.parts.clear();
    const episode = await ask("GET", this.path);
    this.player = new Player(episode, (step) => this.seen(step));
    const film = h("a", { href: `${this.path}/film`, download: "" }, "Film");
    this.player.element.querySelector(".facts").append(h("span.take", {}, film, h("a", { href: `${this.path}/data`, download: "" }, "Data")));
    this.part(0).then((views) => { film.hidden = !views.pictures.length; }, () => {});
    return this.player;
  }

  // Parts are drawn when somebody looks; the next one meanwhile.
  async seen(step) {
    const part = step ? Math.floor((step - 1) / Number(chunk)) : 0;
    const views = await this.part(part);
    if ((part + 1) * Number(chunk) < this.player.length) this.part(part + 1).catch(() => {});
    return look(views, step, part * Number(chunk));
  }

  part(number) {
    const known = this.parts.get(number);
    if (known && (known.whole || known.length === this.player.length)) return known.views;
    const length = this.player.length;
    const views = ask("GET", `${this.path}/frames/${number}`);
    views.catch(() => this.parts.delete(number));
    this.parts.set(number, { views, length, whole: (number + 1) * Number(chunk) <= length });
    return views;
  }

  // Takes over what was done meanwhile; whether it still goes on.
  async grow() {
    const episode = await ask("GET", this.path);
    this.player.update(episode);
    return !episode.ended;
  }
}

let controls = null;
let timer = 0;

async function watching() {
  const beside = new URLSearchParams(location.search).get("beside");
  const sides = await trying(() => Promise.all([token, ...(beside ? [beside] : [])].map((each) => new Side(each).load())));
  if (!sides) { fill(place, trouble); return; }
  heading.textContent = sides.map((each) => each.list.title).join(" and ");
  fill(tools, another(sides));
  addEventListener("hashchange", () => show(sides));
  await show(sides);
}

// The address says which episode of each side is open; of the second side by default that of the same id.
async function show(sides) {
  clearInterval(timer);
  controls?.close();
  controls = null;
  const given = location.hash.slice(1).split("/").map((each) => (each === "" ? NaN : Number(each)));
  const single = sides.every((each) => each.list.episodes.length === 1);
  const first = Number.isInteger(given[0]) ? given[0] : single ? 0 : -1;
  if (first < 0) { fill(place, trouble, listing(sides)); return; }
  const id = sides[0].list.episodes[first]?.id;
  const second = () => Number.isInteger(given[1]) ? given[1] : Math.max(0, sides[1].list.episodes.findIndex((each) => each.id === id));
  fill(place, trouble, h("p.quiet", { role: "status" }, "Drawing…"));
  const players = await trying(() => Promise.all(sides.map((each, place_) => each.open(place_ ? second() : first))));
  if (!players) { fill(place, trouble, single ? "" : h("a", { href: "#" }, "All episodes")); return; }
  controls = new Controls(players, ...(single ? [] : [h("a.button", { href: "#" }, "All episodes")]));
  fill(place, trouble, controls.element, h(players.length > 1 ? "div.sides.two" : "div.sides", {}, players.map((each) => each.element)));
  if (players.some((each) => !each.episode.ended)) timer = setInterval(() => follow(sides), AGAIN_MS);
}

// While a session goes on: whoever is at its end stays there.
async function follow(sides) {
  const end = controls.step === controls.length;
  const going = await Promise.all(sides.map((each) => each.grow().catch(() => true)));
  if (!going.some(Boolean)) clearInterval(timer);
  if (end && controls.step !== controls.length) controls.go(controls.length); else controls.go(controls.step);
}

function listing(sides) {
  const [{ list }] = sides;
  const words = h("input", { type: "search", placeholder: "id or task", "aria-label": "id or task" });
  const failed = h("input", { type: "checkbox" });
  const table = h("div");
  const draw = () => {
    const found = list.episodes.map((each, number) => ({ ...each, number })).filter((each) => (!failed.checked || each.success !== 1) && `${each.id} ${each.task}`.toLowerCase().includes(words.value.toLowerCase()));
    fill(table, section(`${found.length} of ${list.episodes.length} episodes`, ["Episode", "Task", "Success", "Acts", "Ended"], found.slice(0, SHOWN).map((each) => [
      h("a", { href: `#${each.number}` }, each.id), each.task, score(each.success), each.steps, each.error || each.ended]), "There are none."));
  };
  words.addEventListener("input", draw);
  failed.addEventListener("change", draw);
  draw();
  return h("div.listing", {}, h("div.row", {}, words, h("label.choice", {}, failed, "failed only")), table);
}

// Another link beside this one, or none.
function another(sides) {
  if (sides.length > 1) return h("a.button", { href: `/watch/${token}${location.hash}` }, "Only the first");
  const link = h("input", { type: "text", placeholder: "Another link", "aria-label": "Another link, to have it beside this one" });
  return h("form.row.beside", { onsubmit: (event) => {
    event.preventDefault();
    const found = link.value.trim().match(/([A-Za-z0-9_-]{16,64})(?:[?#].*)?$/);
    if (found) location.href = `/watch/${token}?beside=${found[1]}${location.hash}`;
    else trouble.textContent = "This is no link to watch by.";
  } }, link, h("button", {}, "Beside"));
}

await (token ? watching() : choosing());
