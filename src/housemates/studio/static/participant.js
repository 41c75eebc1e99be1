// Leads a participant through a study: consent, tutorial, lobby, session, survey, code.

import { question } from "./parts.js";
import { ask, h, fill, live } from "./ui.js";

const token = document.body.dataset.token;
const POLL_MS = 2000;
const place = h("main.lead-on");
const trouble = live("p", "assertive");
trouble.className = "trouble";
const heading = h("h1", {}, "");
document.body.replaceChildren(h("header.bar", {}, h("span.home", { role: "img", "aria-label": "Housemates" }), heading), place);

async function post(what, body) {
  try { trouble.textContent = ""; return show(await ask("POST", `/api/participant/${token}/${what}`, body)); }
  catch (error) { trouble.textContent = error.message; return null; }
}

const STAGES = {
  consent: ({ text }) => [h("h2", {}, "Before we begin"), h("p.consent", {}, text), h("div.row", {}, h("button.primary", { onclick: () => post("consent") }, "I agree"))],
  tutorial: ({ seat }) => [
    h("h2", {}, "First, a tutorial"),
    h("p", {}, "You learn how to play, on your own, step by step. It takes about ten minutes; you can come back to it any time."),
    h("div.row", {}, h("button.primary", { onclick: async () => { const now = seat ? { seat } : await post("tutorial"); if (now?.seat) location.href = `/seat/${now.seat}`; } }, seat ? "Go on with the tutorial" : "Begin the tutorial")),
  ],
  quiz: ({ questions, rules }) => [
    h("h2", {}, "A short quiz"), rules.map((each) => h("p", {}, each)),
    h("form.survey", { onsubmit: (event) => { event.preventDefault(); post("quiz", { answers: Object.fromEntries(new FormData(event.currentTarget)) }); } },
      questions.map(question), h("button.primary", {}, "Send")),
  ],
  closed: ({ text }) => [h("h2", {}, "Not this time"), h("p", {}, text)],
  lobby: ({ waiting }) => {
    setTimeout(() => post("lobby"), waiting === undefined || waiting === 0 ? 0 : POLL_MS);
    return [h("h2", {}, "Looking for a partner"), h("p", { role: "status" }, "Please keep this page open. You are taken to the session as soon as somebody comes."), h("div.waiting", { "aria-hidden": "true" })];
  },
  play: ({ seat }) => { location.replace(`/seat/${seat}`); return [h("p", {}, "Here we go…")]; },
  survey: ({ seat }) => [h("h2", {}, "Nearly there"), h("p", {}, "A few questions are left."), h("a.button.primary", { href: `/survey/${seat}` }, "To the survey")],
  done: ({ code, link }) => [
    h("h2", {}, "Thank you."), h("p", {}, "You have finished. This is your completion code:"), h("p.code", {}, code),
    link && h("a.button.primary", { href: link, rel: "noreferrer" }, "Back to where you came from")],
};

function show(where) {
  heading.textContent = where.title;
  fill(place, ...STAGES[where.stage](where), trouble);
  return where;
}

try { const where = await ask("GET", `/api/participant/${token}`); if (where.stage === "lobby") where.waiting = undefined; show(where); }
catch (error) { fill(place, trouble); trouble.textContent = error.message; }
