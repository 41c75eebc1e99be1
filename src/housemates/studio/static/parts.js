// Parts that pages are built from: the bar at the top, the conversation, a console, a notice.

import { h, live, title } from "./ui.js";

const READYING = "Getting ready…";

// The bar at the top: who you are, who else is there, and whether the line holds.
export function bar(seat, name, ...tools) {
  const line = live("span");
  line.className = "line";
  const others = live("span");
  others.className = "others";
  line.textContent = READYING;
  seat.on("state", () => { if (line.textContent === READYING) line.textContent = ""; });
  seat.on("line", (state) => {
    line.dataset.state = state;
    line.textContent = { open: seat.state ? "" : READYING, lost: "Connection lost; coming back…", closed: "Disconnected" }[state];
  });
  let seats = {};
  seat.on("hello", (hello) => { seats = hello.seats; });
  seat.on("present", ({ roles }) => {
    const missing = Object.keys(seats).filter((role) => seats[role] === "person" && role !== seat.role && !roles.includes(role));
    others.textContent = missing.length ? `Waiting for the ${missing.map(title).join(", ")}` : "";
  });
  return h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, name), others, line, h("span.grow"), ...tools);
}

// A list that is read out as it grows and shows its end: append or fill, then call `end`.
export function growing(kind, label) {
  const list = h("ol");
  const element = h(`div.${kind}.growing`, { role: "log", "aria-live": "polite", "aria-label": label, tabIndex: 0 }, list);
  return { element, list, end: () => { element.scrollTop = element.scrollHeight; } };
}

// The conversation, read out as it grows, and a line to say something.
export function chat(seat, { say = "Say", label = "Chat", placeholder = "Write a message…", most = 500 } = {}) {
  const { element, list, end } = growing("said", label);
  const box = h("input", { type: "text", name: "text", autocomplete: "off", maxLength: most, placeholder, "aria-label": placeholder });
  const trouble = live("p", "assertive");
  trouble.className = "trouble";
  let shown = 0;
  seat.on("state", ({ state }) => {
    if (state.said.length < shown) { list.replaceChildren(); shown = 0; }
    for (const each of state.said.slice(shown)) {
      const mine = each.role === seat.role;
      list.append(h(mine ? "li.mine" : "li", {}, h("span.who", {}, mine ? "You" : title(each.role)), h("span.text", {}, each.text)));
    }
    if (state.said.length !== shown) end();
    shown = state.said.length;
  });
  const form = h("form.say", {
    onsubmit: async (event) => {
      event.preventDefault();
      const text = box.value.trim();
      if (!text) return;
      try { trouble.textContent = ""; await seat.act(say, { text }); box.value = ""; }
      catch (error) { trouble.textContent = error.message; }
    },
  }, box, h("button.primary", { type: "submit" }, "Send"));
  return h("section.chat.panel", { "aria-label": label }, element, trouble, form);
}

// What came of the last acts, newest last.
export function console_(seat, label = "Console") {
  const { element, list, end } = growing("console", label);
  const write = (text, good) => {
    if (!text) return;
    list.append(h(good ? "li" : "li.bad", {}, text));
    while (list.children.length > 60) list.firstChild.remove();
    end();
  };
  seat.on("trouble", (text) => write(text, false));
  seat.on("notice", ({ message }) => write(message, true));
  return { element: h("section.panel.log", { "aria-label": label }, element), write };
}

// Does things; what is refused is written to the console. Resolves to whether it was done.
export function acting(seat, log) {
  return async (name, args = {}) => {
    try { await seat.act(name, args); return true; } catch (error) { log.write(error.message, false); return false; }
  };
}

// A button that shows what a role is told; it is shown once by itself.
export function told(name, lines, hint) {
  const dialog = h("dialog.told", { "aria-label": name },
    h("h2", {}, name), h("ul", {}, lines.map((each) => h("li", {}, each))), h("p.quiet", {}, hint),
    h("form.row", { method: "dialog" }, h("button.primary", { autofocus: true }, "Got it")));
  const key = `told ${document.body.dataset.token}`;
  dialog.addEventListener("close", () => sessionStorage.setItem(key, "yes"));
  const show = () => { dialog.showModal(); dialog.scrollTop = 0; };
  queueMicrotask(() => { document.body.append(dialog); if (!sessionStorage.getItem(key)) show(); });
  return h("button", { type: "button", onclick: show }, "Instructions");
}

// The end of a play: a dialog that says how it went and leads on.
export function ending(seat, said) {
  const { kind, token, participant } = document.body.dataset;
  const lesson = kind === "tutorial";
  seat.on("ended", (message) => {
    if (document.querySelector("dialog.end")) return;
    const dialog = h("dialog.end", { "aria-label": "The end" }, said(message),
      h("div.row", {}, h("a.button.primary", { href: lesson ? `/p/${participant}` : `/survey/${token}`, autofocus: true }, lesson ? "Go on" : "To the survey"),
        kind === "demo" && h("a.button", { href: "/" }, "To the studio")));
    for (const open of document.querySelectorAll("dialog[open]")) open.close();
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function page(...children) {
  document.body.replaceChildren(...children);
}
