// Running a study: projects, links, what is going on, how well people do, and taking data out.

import { ask, confirmed, h, fill, live, style, title } from "./ui.js";

style("admin.css");
const MONITOR_MS = 3000;
const trouble = live("p", "assertive");
trouble.className = "trouble";
const place = h("main.admin");
const tools = h("div.row");
document.body.replaceChildren(
  h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, "Run a study"), h("span.grow"), tools, h("nav", { "aria-label": "Studio" }, h("a", { href: "/watch" }, "Watch"))), place);
let timer = 0;
let offered = [];

async function trying(work) {
  trouble.textContent = "";
  try { return await work(); }
  catch (error) {
    trouble.textContent = error.message;
    if (error.message === "Log in first.") login();
    return null;
  }
}

function login() {
  clearInterval(timer);
  fill(tools);
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password", required: true, maxLength: 200 });
  fill(place, h("form.login.panel", {
    onsubmit: async (event) => {
      event.preventDefault();
      if (await trying(() => ask("POST", "/api/admin/login", { password: password.value }))) overview();
    },
  }, h("h2", {}, "Administrator"), h("label", {}, "Password", password), trouble, h("button.primary", {}, "Log in"),
  h("p.quiet", {}, "The server prints it when it starts, or was given it.")));
  password.focus();
}

async function overview() {
  const projects = await trying(() => ask("GET", "/api/admin/projects"));
  if (!projects) return;
  if (!offered.length) offered = await ask("GET", "/api/admin/offered");
  fill(tools, h("button", { type: "button", onclick: async () => { await ask("POST", "/api/admin/logout"); login(); } }, "Log out"));
  const monitor = h("div");
  fill(place, trouble,
    section("Projects", table(["Project", "Benchmark", "Who sits where", "Sessions", "Open", ""], projects.map((each) => [
      h("button.link", { type: "button", onclick: () => project(each) }, each.title),
      each.benchmark, seats(each.seats), counts(each), toggle(each),
      each.id.startsWith("demo-") ? "" : copy(`${location.origin}/join/${each.id}`, "Copy link")]))),
    section("Going on now", monitor),
    section("A new project", form()));
  watch(monitor);
}

function watch(monitor) {
  clearInterval(timer);
  const look = async () => {
    const rooms = await ask("GET", "/api/admin/live").catch(() => []);
    fill(monitor, rooms.length ? table(["Project", "Session", "People there", "Agents", "Last act", ""], rooms.map((each) => [
      each.project, each.play.slice(0, 8), each.people.map(title).join(", ") || "nobody",
      Object.entries(each.seats).filter(([, agent]) => agent).map(([role, agent]) => `${title(role)}: ${agent}`).join(", "),
      each.over ? `over (${each.over})` : `${Math.round(each.since_act_s)} s ago`, watching(each.play)])) : h("p.quiet", {}, "Nobody is playing."));
  };
  look();
  timer = setInterval(look, MONITOR_MS);
}

async function project(chosen) {
  clearInterval(timer);
  const [plays, people] = await Promise.all([
    trying(() => ask("GET", `/api/admin/projects/${chosen.id}/plays`)), trying(() => ask("GET", `/api/admin/projects/${chosen.id}/participants`))]);
  if (!plays || !people) return;
  const links = h("div");
  fill(place, h("div.row", {}, h("button", { type: "button", onclick: overview }, "← All projects"), h("h2", {}, chosen.title)), trouble,
    section("Invite people",
      h("p", {}, "One link for everybody; Prolific, Mechanical Turk and SONA add who comes:"),
      h("p", {}, h("code", {}, `${location.origin}/join/${chosen.id}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`)),
      h("div.row", {}, copy(`${location.origin}/join/${chosen.id}`, "Copy the plain link"),
        h("button", { type: "button", onclick: async () => {
          const made = await trying(() => ask("POST", `/api/admin/projects/${chosen.id}/plays`));
          if (made) fill(links, h("dl.links", {}, Object.entries(made).map(([role, path]) => [h("dt", {}, title(role)), h("dd", {}, h("a", { href: path }, location.origin + path))])));
        } }, "Make one session with a link for each seat")), links),
    section("Take data out", h("div.row", {}, ["official", "parquet", "jsonl"].map((kind) =>
      h("a.button", { href: `/api/admin/projects/${chosen.id}/export/${kind}`, download: "" }, { official: "Official format", parquet: "Parquet", jsonl: "JSON lines" }[kind])))),
    section("Participants", people.length ? table(["Id", "From", "Pool", "Sessions", "Success", "Idle", "Acts", "Failed", "Said", "Alignment", "Code", ""], people.map((each) => [
      each.participant, each.source, pool(each, chosen), each.plays, share(each.success), `${Math.round(each.idle_s)} s`, each.acts, each.failed, each.said, share(each.alignment), each.codes.join(" "), forget(each, chosen)])) : h("p.quiet", {}, "Nobody has come yet.")),
    section("Sessions", plays.length ? table(["Session", "For", "Task", "Status", "Ended", "Success", "Seats", ""], plays.map((each) => [
      each.id.slice(0, 8), each.kind, each.task, each.status, each.how || "–", share(each.scores.success),
      Object.entries(each.links).map(([role, path]) => [h("a", { href: path }, title(role)), " "]), watching(each.id)])) : h("p.quiet", {}, "There are none yet.")));
}

function pool(each, chosen) {
  const expert = each.pool === "expert";
  return h("div.row", {}, title(each.pool) || "New", h("button.link", { type: "button", onclick: async () => {
    if (await trying(() => ask("PATCH", `/api/admin/projects/${chosen.id}/participants/${encodeURIComponent(each.participant)}`, { expert: !expert }))) project(chosen);
  } }, expert ? "No expert" : "Make expert"));
}

function forget(each, chosen) {
  const path = `/api/admin/participants/${encodeURIComponent(each.participant)}`;
  return h("div.row", {}, h("a", { href: path, download: `${each.participant}.json` }, "Data"), h("button.link.danger", { type: "button", onclick: async () => {
    if (!(await confirmed(`Delete ${each.participant} and every session they took part in?`, "Delete", "Keep"))) return;
    if (await trying(() => ask("DELETE", path))) project(chosen);
  } }, "Delete"));
}

const field = (name, label, more = {}) => h("label", {}, label, h("input", { type: "text", name, ...more }));

function form() {
  const benchmark = h("select", { name: "benchmark" }, offered.map((each) => h("option", { value: each.benchmark }, each.benchmark)));
  const roles = h("div.fields");
  const draw = () => {
    const chosen = offered.find((each) => each.benchmark === benchmark.value);
    fill(roles,
      Object.entries(chosen.roles).map(([role, agents]) => h("label", {}, title(role), h("select", { name: `seat ${role}` }, h("option", { value: "" }, "a person"), agents.map((each) => h("option", { value: each }, `agent: ${each}`))))),
      Object.entries(chosen.options).map(([name, choices]) => h("label", {}, `Option ${name}`, choices.length ? h("select", { name: `option ${name}` }, h("option", { value: "" }, "as usual"), choices.map((each) => h("option", {}, each))) : h("input", { type: "text", name: `option ${name}`, placeholder: "as usual" }))),
      chosen.compares && field("of", `The project of ${chosen.compares} that is compared`, { required: true }),
      h("label", {}, "Who may take part", h("select", { name: "pool" }, [["", "everybody"], ["novice", "novices: tutorial and quiz passed"], ["expert", "experts: a success in each role"]].map(([value, text]) => h("option", { value }, text)))),
      chosen.tutorial && h("label.choice", {}, h("input", { type: "checkbox", name: "tutorial", checked: true }), "Tutorial first"),
      h("label.choice", {}, h("input", { type: "checkbox", name: "extras" }), "Show people the plans of agents"));
  };
  benchmark.addEventListener("change", draw);
  benchmark.value = "teach-tatc";
  draw();
  return h("form.new.panel", { onsubmit: create },
    h("div.fields", {}, field("id", "Name in links", { required: true, pattern: "[a-z0-9\\-]+", placeholder: "coffee-pilot" }), field("title", "Title", { required: true, placeholder: "Coffee, pilot" }),
      h("label", {}, "Benchmark", benchmark), field("tasks", "Tasks, parted by commas", { placeholder: "all" }), field("seed", "Seed", { type: "number", min: "0", value: "0" }), field("plays", "Sessions wanted (0: any number)", { type: "number", min: "0", value: "0" })),
    roles,
    h("div.fields", {}, field("code", "Completion code", { placeholder: "a new one for each" }), field("return", "Where people go at the end", { placeholder: "https://app.prolific.com/submissions/complete?cc=…" }), field("each", "Sessions of each person", { type: "number", min: "1", value: "1" })),
    h("label", {}, "Consent, shown first if there is one", h("textarea", { name: "consent", rows: "3" })),
    h("button.primary", {}, "Make it"));
}

async function create(event) {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(event.currentTarget));
  const part = (word) => Object.fromEntries(Object.entries(given).filter(([key, value]) => key.startsWith(`${word} `) && value !== "").map(([key, value]) => [key.slice(word.length + 1), value]));
  const body = {
    id: given.id, title: given.title, benchmark: given.benchmark, seed: Number(given.seed), plays: Number(given.plays),
    tasks: given.tasks.split(",").map((each) => each.trim()).filter(Boolean), seats: part("seat"), options: part("option"),
    plan: { tutorial: given.tutorial === "on", consent: given.consent, code: given.code, return: given.return, each: Number(given.each), of: given.of ?? "", pool: given.pool ?? "", extras: given.extras === "on" },
  };
  if (await trying(() => ask("POST", "/api/admin/projects", body))) overview();
  else trouble.scrollIntoView({ block: "center" });
}

function section(name, ...children) { return h("section", { "aria-label": name }, h("h2", {}, name), ...children); }
function table(heads, rows) {
  return h("div.scroll", { tabIndex: 0, role: "region", "aria-label": "Table" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((each) => h("th", { scope: "col" }, each || h("span.hidden", {}, "More"))))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each) => h("td", {}, each)))))));
}
function watching(play) {
  return h("button.link", { type: "button", onclick: async () => { const made = await trying(() => ask("POST", "/api/admin/links", { play })); if (made) location.href = made.link; } }, "Watch");
}
function share(value) { return value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`; }
function seats(table_) { return Object.entries(table_).map(([role, agent]) => `${title(role)}: ${agent || "person"}`).join(", ") || "–"; }
function counts({ counts: found, plays }) {
  const done = found.ended ?? 0;
  return `${done}${plays ? ` of ${plays}` : ""} done, ${(found.running ?? 0) + (found.open ?? 0)} under way`;
}
function toggle(each) {
  return h("button", { type: "button", "aria-pressed": String(each.open), onclick: async () => { if (await trying(() => ask("PATCH", `/api/admin/projects/${each.id}`, { open: !each.open }))) overview(); } }, each.open ? "Open" : "Closed");
}
function copy(text, label) {
  return h("button", { type: "button", onclick: async (event) => { const button = event.currentTarget; await navigator.clipboard?.writeText(text).catch(() => {}); button.textContent = "Copied"; setTimeout(() => { button.textContent = label; }, 1500); } }, label);
}

overview();
