// The form of a project: a new one, a copy, or one that is changed.

import { question } from "../forms.js";
import { append, ask, fill, h, title } from "../ui.js";

const KINDS = { builtin: "the benchmark's", none: "none", own: "own questions" };
const HELP_FORMS = "TOML, JSON, or a table copied from a spreadsheet with the columns name, kind, label, choices (separated by |). Kinds: scale, choice, several, text. right names the right answer: an attention check in a survey.";
let number = 0;

// A labelled control with an explanation below.
function field(label, control, help = "") {
  control.id = `field-${++number}`;
  if (help) control.setAttribute("aria-describedby", `${control.id}-help`);
  return h("div.field", {}, h("label", { for: control.id }, label), control, help && h("p.help", { id: `${control.id}-help` }, help));
}

const text = (name, value = "", more = {}) => h("input", { type: "text", name, value: String(value), ...more });
const whole = (name, value, more = {}) => h("input", { type: "number", name, value: String(value), min: "0", ...more });
const area = (name, value, rows) => { const made = h("textarea", { name, rows: String(rows) }); made.value = value; return made; };
const chosen = (name, choices, value) => { const made = h("select", { name }, choices.map(([key, said]) => h("option", { value: key }, said))); made.value = value; return made; };

function tick(name, label, checked, help = "") {
  const box = h("input", { type: "checkbox", name, checked: Boolean(checked), id: `field-${++number}` });
  if (help) box.setAttribute("aria-describedby", `${box.id}-help`);
  return h("div.field", {}, h("label.choice", { for: box.id }, box, label), help && h("p.help", { id: `${box.id}-help` }, help));
}

const group = (name, ...children) => h("fieldset.group.panel", {}, h("legend", {}, name), h("div.fields", {}, children));

const NEW = {
  id: "", title: "", benchmark: "teach-tatc", options: {}, split: "generated", seed: 0, tasks: [], seats: {}, plays: 0, begun: false,
  plan: { tutorial: true, consent: "", evidence: false, survey: null, quiz: null, code: "", return: "", each: 1, of: "", pool: "", extras: false, invited: false, patience_min: 15, base: 0, bonus: 0, currency: "", retention_days: 0 },
};

export async function form(desk, name, part) {
  const offered = await desk.trying(() => ask("GET", "/api/admin/offered"));
  const from = name ? await desk.trying(() => ask("GET", `/api/admin/projects/${encodeURIComponent(name)}`)) : NEW;
  if (!offered || !from) return;
  const editing = part === "edit";
  const start = part === "copy" ? { ...from, id: "", title: `${from.title}, copy`, begun: false } : from;
  const locked = editing && start.begun;
  const shown = drawn(start, offered, editing, desk);
  shown.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = read(shown);
    const made = await desk.trying(() => (editing ? ask("PUT", `/api/admin/projects/${start.id}`, body) : ask("POST", "/api/admin/projects", body)));
    if (made) desk.go(`#project/${made.id}`);
  });
  desk.show(h("div.row", {}, h("a.button", { href: name ? `#project/${name}` : "#" }, "← Back"), h("h2", {}, editing ? `Edit ${start.title}` : name ? `A copy of ${from.title}` : "A new project")),
    locked && h("p", { role: "note" }, "Somebody has come already, so what is played, by whom, and the forms stay as they are. Copy the project to change them. A changed consent is a new version for those who come from now on."),
    shown);
}

function drawn(start, offered, editing, desk) {
  const locked = editing && start.begun;
  const { plan } = start;
  const benchmark = chosen("benchmark", offered.map((each) => [each.benchmark, each.benchmark]), start.benchmark);
  const about = h("p.help"), playing = h("div.fields"), sitting = h("div.fields"), lessons = h("div.field");
  const forms = { quiz: writing("quiz", plan.quiz, "Quiz before the first session", desk), survey: writing("survey", plan.survey, "Survey after each session", desk) };
  const draw = () => {
    const of = offered.find((each) => each.benchmark === benchmark.value), same = benchmark.value === start.benchmark;
    const kept = same ? start : { ...start, options: {}, tasks: [], seats: {} };
    about.textContent = of.summary;
    fill(playing,
      field("Tasks, separated by commas", text("tasks", kept.tasks.join(", "), { placeholder: "all" }), `Known are: ${of.tasks.join(", ")}.`),
      Object.entries(of.options).map(([option, { choices, help }]) => field(`Option ${option}`, choices.length
        ? chosen(`option ${option}`, [["", "default"], ...choices.map((each) => [each, each])], kept.options[option] ?? "")
        : text(`option ${option}`, kept.options[option] ?? "", { placeholder: "default" }), help)),
      of.compares && field(`The project of ${of.compares} that is compared`, text("of", plan.of, { required: true })));
    fill(sitting, Object.entries(of.roles).map(([role, agents]) => field(title(role), chosen(`seat ${role}`, [["", "a person"], ...agents.map((each) => [each, `agent: ${each}`])], kept.seats[role] ?? ""))));
    lessons.hidden = !of.tutorial;
    forms.quiz.usual = of.quiz;
    forms.survey.usual = of.survey;
    if (locked) lock(playing, sitting);
  };
  benchmark.addEventListener("change", draw);
  fill(lessons, tick("tutorial", "Tutorial first", plan.tutorial));
  const fixed = {
    split: field("Split", text("split", start.split), "generated makes new instances from the seed."),
    seed: field("Seed", whole("seed", start.seed), "The same seed gives the same instances."),
    each: field("Sessions of each person", whole("each", plan.each, { min: "1", max: "100" })),
    pool: field("Who may take part", chosen("pool", [["", "everybody"], ["novice", "novices: tutorial and quiz passed"], ["expert", "experts: a success in each role"]], plan.pool)),
    extras: tick("extras", "Show people the plans of agents", plan.extras),
    what: append(field("Benchmark", benchmark), [about]), lessons, quiz: forms.quiz.element, survey: forms.survey.element,
  };
  draw();
  const made = h("form.new", {},
    group("Project", field("Short name for the link", text("id", start.id, { required: true, pattern: "[a-z0-9\\-]+", placeholder: "coffee-pilot", disabled: editing, maxLength: 40 }), "Small letters, digits and hyphens; it cannot change later."),
      field("Title", text("title", start.title, { required: true, placeholder: "Coffee, pilot", maxLength: 120 }), "People see it."),
      field("Sessions wanted (0: any number)", whole("plays", start.plays))),
    group("What is played", fixed.what, playing, fixed.split, fixed.seed),
    group("Who plays", sitting, fixed.pool, fixed.each, tick("invited", "Only by invitation", plan.invited, "People need a link that expires; make them on the project’s page."), fixed.extras,
      field("Minutes until one may leave the lobby with a code (0: never)", whole("patience_min", plan.patience_min, { max: "240" }))),
    group("Before playing", h("div.wide", {}, field("Consent, shown first if there is one", area("consent", plan.consent, 4), "A change makes a new version; which one each participant agreed to is kept.")),
      tick("evidence", "Let browsers report pasted text, lost focus and typing rhythm", plan.evidence, "The consent says so; it is never collected from those who have not agreed to it."), fixed.lessons, h("div.wide", {}, fixed.quiz)),
    group("After playing", h("div.wide", {}, fixed.survey), field("Completion code", text("code", plan.code, { placeholder: "a new one for each", maxLength: 80 })),
      field("Where people go at the end", text("return", plan.return, { placeholder: "https://app.prolific.com/submissions/complete?cc=…", maxLength: 400 }))),
    group("Payment and data", field("Paid for each completed session", whole("base", plan.base, { step: "0.01" })), field("Bonus for each success", whole("bonus", plan.bonus, { step: "0.01" })), field("Currency", text("currency", plan.currency, { placeholder: "GBP", maxLength: 8 })),
      field("Days that data are kept (0: until you delete them)", whole("retention_days", plan.retention_days), "Counted from somebody’s last session; then everything about them is erased.")),
    h("div.row", {}, h("button.primary", {}, editing ? "Save" : "Create project")));
  if (locked) lock(...Object.values(fixed));
  return made;
}

// A survey or a quiz: the built-in one, none, or one's own, which can be tried out.
function writing(which, kept, label, desk) {
  const words = area(which, kept ?? "", 10);
  const tried = h("div.survey.tried");
  const look = async () => {
    const asked = await desk.trying(() => ask("POST", "/api/admin/forms", { text: words.value, which }));
    if (!asked) return;
    fill(tried, asked.length ? asked.map(question) : h("p.quiet", {}, "Nothing is asked."));
    for (const each of tried.querySelectorAll("input, textarea")) each.setAttribute("form", "tried"); // no part of the project's form
  };
  const own = h("div.own", {}, field(`${title(which)}: questions`, words, HELP_FORMS), h("div.row", {}, h("button", { type: "button", onclick: look }, `Try the ${which}`)), tried);
  const kind = chosen(`${which} kind`, Object.entries(KINDS), kept === null ? "builtin" : kept === "" ? "none" : "own");
  const made = { usual: "", element: h("div", {}, field(label, kind), own) };
  const draw = () => {
    own.hidden = kind.value !== "own";
    if (!own.hidden && !words.value) words.value = made.usual;
  };
  kind.addEventListener("change", draw);
  own.hidden = kind.value !== "own";
  return made;
}

function lock(...parts) {
  for (const part of parts) for (const each of part.querySelectorAll("input, select, textarea")) each.disabled = true;
}

// What the form says, whether a field can be changed or not.
function read(shown) {
  const value = (name) => shown.elements.namedItem(name)?.value ?? "";
  const on = (name) => shown.elements.namedItem(name)?.checked ?? false;
  const under = (word) => Object.fromEntries([...shown.elements].filter((each) => each.name?.startsWith(`${word} `) && each.value !== "").map((each) => [each.name.slice(word.length + 1), each.value]));
  const kept = (which) => ({ builtin: null, none: "", own: value(which) })[value(`${which} kind`)];
  return {
    id: value("id"), title: value("title"), benchmark: value("benchmark"), split: value("split"), seed: Number(value("seed")), plays: Number(value("plays")),
    tasks: value("tasks").split(",").map((each) => each.trim()).filter(Boolean), seats: under("seat"), options: under("option"),
    plan: {
      tutorial: on("tutorial") && !shown.elements.namedItem("tutorial").closest("[hidden]"), consent: value("consent"), evidence: on("evidence"), survey: kept("survey"), quiz: kept("quiz"), code: value("code"), return: value("return"),
      each: Number(value("each")), of: value("of"), pool: value("pool"), extras: on("extras"), invited: on("invited"), patience_min: Number(value("patience_min")),
      base: Number(value("base")), bonus: Number(value("bonus")), currency: value("currency"), retention_days: Number(value("retention_days")),
    },
  };
}
