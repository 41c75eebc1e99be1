// Leads a participant through a study: consent, tutorial, lobby, session, survey, code.

import { answers, question } from "./forms.js";
import { ask, confirmed, h, fill, live, refill } from "./ui.js";

const token = document.body.dataset.token;
const POLL_MS = 2000;
const RETRY_MS = 5000;
let timer = 0;
const place = h("main.lead-on");
const trouble = live("p", "assertive");
trouble.className = "trouble";
const heading = h("h1", {}, "");
document.body.replaceChildren(h("header.bar", {}, h("span.home", { role: "img", "aria-label": "Housemates" }), heading), place);

async function post(what, body) {
  try { trouble.textContent = ""; return show(await ask("POST", `/api/participant/${token}/${what}`, body)); }
  catch (error) {
    trouble.textContent = error.message;
    if (what === "lobby") timer = setTimeout(() => post("lobby"), RETRY_MS);
    return null;
  }
}

async function decline() {
  try { await ask("POST", `/api/participant/${token}/decline`); }
  catch (error) { trouble.textContent = error.message; return; }
  fill(place, h("h2", {}, "Thank you for coming."), h("p", {}, "You do not take part, and nothing was kept. You can close this page."));
}

async function leaving(paid) {
  clearTimeout(timer);
  if (paid || await confirmed("Leave? You get no completion code, as there was no session yet.", "Leave", "Go on waiting")) post("leave");
  else post("lobby");
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

const STAGES = {
  consent: ({ text, version }) => [h("h2", {}, "Before we begin"), h("p.consent", {}, text), h("div.row", {}, h("button.primary", { onclick: () => post("consent", { version }) }, "I agree"),
    h("button", { onclick: decline }, "I do not agree"))],
  tutorial: ({ seat }) => [
    h("h2", {}, "First, a tutorial"),
    h("p", {}, "You learn how to play, on your own, step by step. It takes about ten minutes; you can come back to it any time."),
    h("div.row", {}, h("button.primary", { onclick: async () => { const now = seat ? { seat } : await post("tutorial"); if (now?.seat) location.href = `/seat/${now.seat}`; } }, seat ? "Go on with the tutorial" : "Begin the tutorial")),
  ],
  quiz: ({ questions, rules }) => [
    h("h2", {}, "A short quiz"), rules.map((each) => h("p", {}, each)),
    h("form.survey", { onsubmit: (event) => { event.preventDefault(); post("quiz", { answers: answers(event.currentTarget) }); } },
      questions.map(question), h("button.primary", {}, "Send")),
  ],
  closed: ({ text }) => [h("h2", {}, "Not this time"), h("p", {}, text)],
  lobby: ({ waiting, waited_s: waited, patience_s: patience }) => {
    timer = setTimeout(() => post("lobby"), waiting ? POLL_MS : 0);
    const paid = patience > 0 && waited >= patience;
    return [h("h2", {}, "Looking for a partner"),
      h("p", { role: "status" }, "Please keep this page open and in view. You are taken to the session as soon as somebody comes."),
      h("div.waiting", { "aria-hidden": "true" }),
      h("p.quiet", {}, `You have waited ${clock(waited)}. `, waiting > 1 ? `${waiting} people are waiting. ` : "Nobody else is waiting. ",
        patience > 0 && !paid ? `If nobody comes within ${Math.ceil((patience - waited) / 60)} min, you can leave with a code.` : ""),
      h("div.row", {}, h(paid ? "button.primary" : "button", { type: "button", onclick: () => leaving(paid) }, paid ? "Leave with a code" : "Leave"))];
  },
  left: ({ code, link }) => code
    ? [h("h2", {}, "Thank you for waiting."), h("p", {}, "Nobody came in time. This is your completion code:"), h("p.code", {}, code), link && h("a.button.primary", { href: link, rel: "noreferrer" }, "Back to where you came from")]
    : [h("h2", {}, "You have left."), h("p", {}, "You have no completion code, as there was no session. You can come back to this page and wait again."), h("div.row", {}, h("button.primary", { onclick: () => post("back") }, "Wait again"))],
  play: ({ seat }) => { location.replace(`/seat/${seat}`); return [h("p", {}, "Here we go…")]; },
  survey: ({ seat }) => [h("h2", {}, "Nearly there"), h("p", {}, "A few questions are left."), h("a.button.primary", { href: `/survey/${seat}` }, "To the survey")],
  done: ({ code, link }) => [
    h("h2", {}, "Thank you."), h("p", {}, code ? "You have finished. This is your completion code:" : "You have finished."), code && h("p.code", {}, code),
    link && h("a.button.primary", { href: link, rel: "noreferrer" }, "Back to where you came from")],
};

function show(where) {
  heading.textContent = where.title;
  clearTimeout(timer);
  refill(place, ...STAGES[where.stage](where), trouble);
  return where;
}

try { show(await ask("GET", `/api/participant/${token}`)); }
catch (error) { fill(place, trouble); trouble.textContent = error.message; }
