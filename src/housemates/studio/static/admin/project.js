// One project: its settings, how people come, who came, what they did, what can be exported.

import { ask, confirmed, fill, h, title } from "../ui.js";
import { copy, known, person, seats, section, share, table, watching, when } from "./parts.js";

const FORMATS = { official: "Official format", parquet: "Parquet", jsonl: "JSON lines" };
const POOLS = { "": "everybody", novice: "novices: tutorial and quiz passed", expert: "experts: a success in each role" };

export async function project(desk, name) {
  const path = `/api/admin/projects/${encodeURIComponent(name)}`;
  const asked = ["", "/plays", "/participants", "/invitations"].map((each) => ask("GET", path + each));
  const found = await desk.trying(() => Promise.all(asked));
  if (!found) return;
  const [chosen, plays, people, invitations] = found;
  const demo = name.startsWith("demo-");
  desk.show(
    h("div.row", {}, h("a.button", { href: "#" }, "← All projects"), h("h2", {}, chosen.title), h("span.grow"), !demo && actions(desk, chosen, path)),
    section("Settings", settings(chosen)),
    !demo && section("Invite people", inviting(desk, chosen, path, invitations)),
    section("Export", h("div.row", {}, Object.entries(FORMATS).map(([kind, text]) => h("a.button", { href: `${path}/export/${kind}`, download: "" }, text)),
      !demo && h("a.button", { href: `${path}/payments`, download: "" }, "Payments (CSV)"))),
    section("Participants", people.length ? participants(desk, chosen, path, people) : h("p.quiet", {}, "Nobody has come yet.")),
    section("Sessions", plays.length ? sessions(desk, plays) : h("p.quiet", {}, "There are none yet.")));
}

function actions(desk, chosen, path) {
  const patch = async () => { if (await desk.trying(() => ask("PATCH", path, { open: !chosen.open }))) desk.again(); };
  const erase = async () => {
    if (!(await confirmed(`Delete ${chosen.title} with every session and participant in it?`, "Delete", "Keep"))) return;
    if (await desk.trying(() => ask("DELETE", path))) desk.go("#");
  };
  return [h("a.button", { href: `#edit/${chosen.id}` }, "Edit"), h("a.button", { href: `#copy/${chosen.id}` }, "Copy"),
    h("button", { type: "button", onclick: patch }, chosen.open ? "Close" : "Open"),
    h("button.danger", { type: "button", disabled: chosen.open, title: chosen.open ? "Close it first." : "", onclick: erase }, "Delete")];
}

function settings({ id, benchmark, options, tasks, split, seed, seats: sitting, plays, plan, open, consent_version: version }) {
  const money = (value) => `${value.toFixed(2)}${plan.currency ? ` ${plan.currency}` : ""}`;
  const form = (kept, usual) => (kept === null ? usual : kept === "" ? "none" : h("details", {}, h("summary", {}, "own"), h("pre", {}, kept)));
  const rows = {
    "People may come": open ? (plan.invited ? "by invitation" : "yes, by the link") : "no: it is closed",
    "Short name for the link": id, Benchmark: benchmark,
    Tasks: tasks.join(", ") || "all", Options: Object.entries(options).map(([key, value]) => `${key} = ${value}`).join(", ") || "default",
    Split: split, Seed: seed, "Who sits where": seats(sitting), "Who may take part": POOLS[plan.pool],
    "Sessions wanted": plays || "any number", "Sessions of each person": plan.each, "Tutorial first": plan.tutorial ? "yes" : "no",
    Consent: version ? h("details", {}, h("summary", {}, `version ${version}`), h("p.consent", {}, plan.consent)) : "none",
    "Typing and attention are reported": plan.evidence ? "yes, and the consent says so" : "no",
    Quiz: form(plan.quiz, plan.tutorial || plan.pool === "novice" ? "the benchmark's" : "none"), Survey: form(plan.survey, "the benchmark's"), "Completion code": plan.code || "a new one for each",
    "Where people go at the end": plan.return || "–", "Leaving the lobby with a code": plan.patience_min ? `after ${plan.patience_min} min` : "never",
    "Paid for each session": money(plan.base), "Bonus for each success": money(plan.bonus),
    "Data are kept": plan.retention_days ? `${plan.retention_days} days` : "until you delete them",
  };
  if (plan.of) rows["Compared project"] = plan.of;
  return h("dl.settings.panel", {}, Object.entries(rows).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function inviting(desk, chosen, path, invitations) {
  const links = h("div");
  const plain = `${location.origin}/join/${chosen.id}`;
  const days = h("input", { type: "number", name: "days", min: "1", max: "366", value: "14" });
  const most = h("input", { type: "number", name: "most", min: "0", max: "100000", value: "0" });
  const make = async () => {
    const made = await desk.trying(() => ask("POST", `${path}/plays`, { days: Number(days.value) }));
    if (made) fill(links, h("dl.links", {}, Object.entries(made).map(([role, where]) => [h("dt", {}, title(role)), h("dd", {}, h("a", { href: where }, location.origin + where))])));
  };
  const invite = async () => { if (await desk.trying(() => ask("POST", `${path}/invitations`, { days: Number(days.value), most: Number(most.value) }))) desk.again(); };
  return [
    chosen.plan.invited ? h("p", {}, "People need an invitation:") : [
      h("p", {}, "One link for everybody; Prolific, Mechanical Turk and SONA fill in each participant’s id:"),
      h("p", {}, h("code", {}, `${plain}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`)),
      h("div.row", {}, copy(plain, "Copy the plain link"))],
    h("div.row.making", {}, h("label", {}, "Links expire after days", days), h("label", {}, "People by one invitation (0: any number)", most),
      h("button", { type: "button", onclick: invite }, "New invitation"), h("button", { type: "button", onclick: make }, "Make one session with a link for each seat")),
    links,
    invitations.length > 0 && table(["Invitation", "Came", "Expires", ""], invitations.map((each) => [
      copy(location.origin + each.link, "Copy invitation"), `${each.used}${each.most ? ` of ${each.most}` : ""}`, each.expired ? "expired" : when(each.expires),
      h("button.link.danger", { type: "button", onclick: async () => { if (await desk.trying(() => ask("DELETE", `${path}/invitations/${each.token}`))) desk.again(); } }, "Withdraw")]))];
}

const COLUMNS = [
  ["Id", (each) => each.participant], ["From", (each) => each.source], ["Pool", null], ["Consent", (each) => known(each.consent_version)],
  ["Sessions", (each) => each.plays], ["Success", (each) => share(each.success)], ["Idle", (each) => `${Math.round(each.idle_s)} s`],
  ["Acts", (each) => each.acts], ["Failed", (each) => each.failed], ["Said", (each) => each.said], ["Alignment", (each) => share(each.alignment)],
  ["Checks failed", (each) => (each.checks ? `${each.checks_failed} of ${each.checks}` : "–")],
];
const REPORTED = [
  ["Characters typed", (each) => known(each.typed_chars)], ["Pasted", (each) => known(each.pasted_chars)], ["Times pasted", (each) => known(each.pastes)],
  ["Times the page was left", (each) => known(each.left_page)], ["Away", (each) => known(each.left_page_s, " s")],
  ["Between two keys", (each) => known(each.key_gap_ms, " ms or more")], ["Pauses of 2 s", (each) => known(each.typing_pauses)],
];

function participants(desk, chosen, path, people) {
  const reported = people.filter((each) => each.typed_chars !== null);
  return [
    table([...COLUMNS.map(([name]) => name), "Code", ""], people.map((each) => [
      ...COLUMNS.map(([, told]) => (told ? told(each) : pool(desk, each, path))), each.codes.join(" "), forget(desk, each)])),
    reported.length > 0 && [
      h("h3", {}, "Reported by their browsers"),
      h("p.quiet", {}, "Typing, pasting and attention, of those who agreed to it. It can be missing or forged, and proves nothing: it says where to look."),
      table(["Id", ...REPORTED.map(([name]) => name)], reported.map((each) => [each.participant, ...REPORTED.map(([, told]) => told(each))]))]];
}

function pool(desk, each, path) {
  const expert = each.pool === "expert";
  return h("div.row", {}, title(each.pool) || "New", h("button.link", { type: "button", onclick: async () => {
    if (await desk.trying(() => ask("PATCH", `${path}/participant?${person(each)}`, { expert: !expert }))) desk.again();
  } }, expert ? "No expert" : "Make expert"));
}

function forget(desk, each) {
  const path = `/api/admin/participant?${person(each)}`;
  return h("div.row", {}, h("a", { href: path, download: "participant.json" }, "Data"), h("button.link.danger", { type: "button", onclick: async () => {
    if (!(await confirmed(`Delete ${each.participant} and every session they took part in, in all projects?`, "Delete", "Keep"))) return;
    if (await desk.trying(() => ask("DELETE", path))) desk.again();
  } }, "Delete"));
}

function sessions(desk, plays) {
  return table(["Session", "For", "Task", "Status", "Ended", "Success", "Seats", ""], plays.map((each) => [
    each.id.slice(0, 8), each.kind, each.task, each.status, each.how || (each.expires && !each.started ? `link until ${when(each.expires)}` : "–"), share(each.scores.success),
    Object.entries(each.links).map(([role, path]) => [h("a", { href: path }, title(role)), " "]), watching(desk, each.id)]));
}
