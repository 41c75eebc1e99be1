// Parts that pages are built from: the bar at the top, the conversation, a console, a notice.

import { h, fill, live, title } from "./ui.js";

// The bar at the top: who you are, who else is there, and whether the line holds.
export function bar(seat, name, ...tools) {
  const line = live("span");
  line.className = "line";
  const others = live("span");
  others.className = "others";
  seat.on("line", (state) => {
    line.dataset.state = state;
    line.textContent = { open: "", lost: "Connection lost; coming back…", closed: "Disconnected" }[state];
  });
  let seats = {};
  seat.on("hello", (hello) => { seats = hello.seats; });
  seat.on("present", ({ roles }) => {
    const missing = Object.keys(seats).filter((role) => seats[role] === "person" && role !== seat.role && !roles.includes(role));
    others.textContent = missing.length ? `Waiting for the ${missing.map(title).join(", ")}` : "";
  });
  return h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, name), others, line, h("span.grow"), ...tools);
}

// The conversation, read out as it grows, and a line to say something.
export function chat(seat, { say = "Say", label = "Chat", placeholder = "Write a message…", most = 500 } = {}) {
  const list = h("ol.said", { role: "log", "aria-live": "polite", "aria-label": label, tabIndex: 0 });
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
    if (state.said.length !== shown) list.scrollTop = list.scrollHeight;
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
  return h("section.chat.panel", { "aria-label": label }, list, trouble, form);
}

// What came of the last acts, newest last.
export function console_(seat, label = "Console") {
  const list = h("ol.console", { role: "log", "aria-live": "polite", "aria-label": label, tabIndex: 0 });
  const write = (text, good) => {
    if (!text) return;
    list.append(h(good ? "li" : "li.bad", {}, text));
    while (list.children.length > 60) list.firstChild.remove();
    list.scrollTop = list.scrollHeight;
  };
  seat.on("trouble", (text) => write(text, false));
  seat.on("notice", ({ message }) => write(message, true));
  return { element: h("section.panel.log", { "aria-label": label }, list), write };
}

// The end of a play: a dialog that leads on.
export function ending(seat, lead) {
  seat.on("ended", (message) => {
    if (document.querySelector("dialog.end")) return;
    const dialog = h("dialog.end", { "aria-label": "The end" });
    fill(dialog, ...lead(message));
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function page(...children) {
  document.body.replaceChildren(...children);
}
