// Runs on the pages of those whose consent names it: reports when text is pasted, when the page is left, and the
// pauses between key presses. Which keys are pressed is not reported.

const GAPS_MS = [0, 50, 100, 150, 200, 300, 400, 600, 1000, 2000];
const SEND_MS = 10000;
const { token } = document.body.dataset;
const fresh = () => ({ pastes: 0, pasted_chars: 0, typed_chars: 0, left_page: 0, left_page_s: 0, gaps: GAPS_MS.map(() => 0) });
let report = fresh(), pressed = null, left = null;

const writing = (target) => target?.matches?.("input[type=text], textarea");

document.addEventListener("paste", (event) => {
  if (!writing(event.target)) return;
  report.pastes += 1;
  report.pasted_chars += event.clipboardData?.getData("text").length ?? 0;
}, true);

document.addEventListener("keydown", (event) => {
  if (!writing(event.target) || event.repeat) return;
  if (event.key === "Enter") { pressed = null; return; }
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) report.typed_chars += 1;
  const now = performance.now();
  if (pressed !== null) report.gaps[GAPS_MS.findLastIndex((low) => now - pressed >= low)] += 1;
  pressed = now;
}, true);
document.addEventListener("focusout", () => { pressed = null; });

function leave() {
  if (left !== null) return;
  left = performance.now();
  report.left_page += 1;
}

function comeBack() {
  if (left === null || document.hidden) return;
  report.left_page_s += Math.round((performance.now() - left) / 10) / 100;
  left = null;
}

addEventListener("blur", leave);
addEventListener("focus", comeBack);
document.addEventListener("visibilitychange", () => (document.hidden ? leave() : comeBack()));

function send() {
  if (!report.pastes && !report.left_page && !report.left_page_s && !report.typed_chars && !report.gaps.some(Boolean)) return;
  const body = JSON.stringify(report);
  report = fresh();
  fetch(`/api/seat/${token}/evidence`, { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
}

setInterval(send, SEND_MS);
addEventListener("pagehide", () => { document.hidden || comeBack(); send(); });
