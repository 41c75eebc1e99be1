// All projects, and what is going on.

import { ask, fill, h, title } from "../ui.js";
import { ago, copy, seats, section, share, table, watching, when } from "./parts.js";

const MONITOR_MS = 3000;

export async function overview(desk) {
  const projects = await desk.trying(() => ask("GET", "/api/admin/projects"));
  if (!projects) return undefined;
  const studies = projects.filter((each) => !each.id.startsWith("demo-")), demos = projects.filter((each) => each.id.startsWith("demo-"));
  const monitor = h("div.parts");
  desk.show(
    section("Projects", h("div.row", {}, h("a.button.primary", { href: "#new" }, "New project")),
      studies.length ? rows(desk, studies) : h("p.quiet", {}, "There are none yet.")),
    monitor,
    demos.length > 0 && h("details", {}, h("summary", {}, "The demo's projects"), rows(desk, demos)));
  const look = async () => {
    const now = await ask("GET", "/api/admin/live").catch(() => null);
    if (now) fill(monitor, goingOn(desk, now), over(desk, now));
  };
  look();
  const timer = setInterval(look, MONITOR_MS);
  return () => clearInterval(timer);
}

function rows(desk, projects) {
  return table(["Project", "Benchmark", "Who sits where", "Sessions", "People may come", ""], projects.map((each) => [
    h("a", { href: `#project/${each.id}` }, each.title), each.benchmark, seats(each.seats), counts(each),
    each.id.startsWith("demo-") ? "" : toggle(desk, each),
    each.id.startsWith("demo-") || each.plan.invited ? "" : copy(`${location.origin}/join/${each.id}`, "Copy link")]));
}

function counts({ counts: found, plays }) {
  const left = found.left ?? 0;
  return `${found.ended ?? 0}${plays ? ` of ${plays}` : ""} done, ${(found.running ?? 0) + (found.open ?? 0)} under way${left ? `, ${left} given up` : ""}`;
}

function toggle(desk, each) {
  return h("button", { type: "button", "aria-pressed": String(each.open), onclick: async () => { if (await desk.trying(() => ask("PATCH", `/api/admin/projects/${each.id}`, { open: !each.open }))) desk.again(); } }, each.open ? "Open" : "Closed");
}

function state({ status, people }) {
  if (people.length) return `${people.map(title).join(", ")} ${people.length > 1 ? "are" : "is"} there`;
  return status === "open" ? "nobody has come yet" : "nobody is there";
}

function goingOn(desk, { going_on: rooms, waiting }) {
  const queue = Object.entries(waiting).map(([name, count]) => `${name}: ${count}`);
  return section("Going on now",
    queue.length > 0 && h("p", {}, `Waiting for a partner: ${queue.join(", ")}.`),
    rooms.length ? table(["Project", "Session", "Task", "People", "Who sits where", "Began", "Last act", ""], rooms.map((each) => [
      each.project, each.play.slice(0, 8), each.task || "–", state(each), seats(each.seats), when(each.started), ago(each.since_act_s), watching(desk, each.play)]))
      : h("p.quiet", {}, "Nobody is playing."));
}

const HOW = { done: "ended", left: "given up", idle: "nobody acted", error: "an error", steps: "out of steps", failures: "too many failures" };

function over(desk, { over: plays }) {
  if (!plays.length) return null;
  return section("Over", table(["Project", "Session", "Task", "Ended", "How", "Success", ""], plays.map((each) => [
    each.project, each.play.slice(0, 8), each.task || "–", when(each.ended), HOW[each.how] ?? each.how, share(each.success), watching(desk, each.play)])));
}
