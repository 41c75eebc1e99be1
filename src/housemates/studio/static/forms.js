// Questions of surveys and quizzes, and what is answered to them.

import { h } from "./ui.js";

export function question({ name, kind, label, choices = [], needed = true, longest = 2000 }) {
  if (kind === "text") return h("label", {}, label, h("textarea", { name, rows: "3", maxLength: longest, required: needed }));
  const type = kind === "several" ? "checkbox" : "radio";
  return h("fieldset", {}, h("legend", {}, label, !needed && h("span.quiet", {}, " (optional)"), kind === "several" && h("span.quiet", {}, " (choose any)")),
    h("div.choices", {}, choices.map((each) => h("label.choice", {}, h("input", { type, name, value: each, required: needed && type === "radio" }), each))));
}

// Name of the question -> a text, or a list where several could be chosen; what was left open is left out.
export function answers(form) {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (form.querySelector(`input[type="checkbox"][name="${CSS.escape(name)}"]`)) (found[name] ??= []).push(value);
    else if (value !== "") found[name] = value;
  }
  return found;
}
