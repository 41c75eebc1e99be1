// Parts of the administrator's pages.

import { ask, h, title } from "../ui.js";

export function section(name, ...children) { return h("section", { "aria-label": name }, h("h2", {}, name), ...children); }

export function table(heads, rows) {
  return h("div.scroll", { tabIndex: 0, role: "region", "aria-label": "Table" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((each) => h("th", { scope: "col" }, each || h("span.hidden", {}, "More"))))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each) => h("td", {}, each)))))));
}

export function share(value) { return value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`; }
export function known(value, unit = "") { return value === null || value === undefined ? "–" : `${value}${unit}`; }
export function when(seconds) { return seconds ? new Date(1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "–"; }
export function seats(all) { return Object.entries(all).map(([role, agent]) => `${title(role)}: ${agent || "person"}`).join(", ") || "–"; }

export function ago(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  return seconds < 90 ? `${Math.round(seconds)} s ago` : seconds < 5400 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

export function watching(desk, play) {
  return h("button.link", { type: "button", onclick: async () => { const made = await desk.trying(() => ask("POST", "/api/admin/links", { play })); if (made) location.href = made.link; } }, "Watch");
}

export function copy(text, label) {
  return h("button", { type: "button", onclick: async (event) => { const button = event.currentTarget; await navigator.clipboard?.writeText(text).catch(() => {}); button.textContent = "Copied"; setTimeout(() => { button.textContent = label; }, 1500); } }, label);
}

export function person({ source, participant }) {
  return `source=${encodeURIComponent(source)}&external=${encodeURIComponent(participant)}`;
}
