// The survey at the end, and the completion code.

import { answers, question } from "./forms.js";
import { ask, h, fill, live } from "./ui.js";

const token = document.body.dataset.token;
const place = h("main.lead-on");
const trouble = live("p", "assertive");
trouble.className = "trouble";
document.body.replaceChildren(h("header.bar", {}, h("span.home", { role: "img", "aria-label": "Housemates" }), h("h1", {}, "Survey")), place);

function thanks({ code, link, next }) {
  fill(place, h("h2", {}, "Thank you."), code ? [h("p", {}, "This is your completion code:"), h("p.code", {}, code)] : h("p", {}, "That is all."),
    h("div.row", {}, link ? h("a.button.primary", { href: link, rel: "noreferrer" }, "Back to where you came from") : h("a.button.primary", { href: next }, "Go on")));
}

async function send(event) {
  event.preventDefault();
  try { thanks(await ask("POST", `/api/seat/${token}/survey`, { answers: answers(event.currentTarget) })); }
  catch (error) { trouble.textContent = error.message; }
}

try {
  const survey = await ask("GET", `/api/seat/${token}/survey`);
  if (survey.answered) thanks(survey);
  else if (!survey.over) fill(place, h("p", {}, "The session is not over yet."), h("a.button", { href: `/seat/${token}` }, "Back to it"));
  else if (!survey.questions.length) thanks(await ask("POST", `/api/seat/${token}/survey`, { answers: {} }));
  else fill(place, h("h2", {}, "How did it go?"), h("form.survey", { onsubmit: send }, survey.questions.map(question), trouble, h("button.primary", {}, "Send")));
} catch (error) { fill(place, trouble); trouble.textContent = error.message; }
