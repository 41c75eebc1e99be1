// Parts that pages are built from: the bar at the top, the conversation, a console, instructions, lessons.

import { h, live, title } from "./ui.js";

const READYING = "Getting ready…";
const NEAR_END_PX = 24;

// The bar at the top: who you are, who else is there, whether the line holds, and how much is unread.
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
  const unread = h("button.unread", { type: "button", hidden: true, onclick: () => seat.tell("read") });
  seat.on("unread", (count) => {
    unread.hidden = !count;
    unread.textContent = count ? `${count} new` : "";
    unread.setAttribute("aria-label", count === 1 ? "One new message: show it" : `${count} new messages: show them`);
  });
  return h("header.bar", {}, h("a.home", { href: "/", "aria-label": "Studio" }), h("h1", {}, name), others, line, h("span.grow"), unread, ...tools);
}

// A list that is read out as it grows and shows its end: append or fill, then call `end`.
export function growing(kind, label) {
  const list = h("ol");
  const element = h(`div.${kind}.growing`, { role: "log", "aria-live": "polite", "aria-label": label, tabIndex: 0 }, list);
  return { element, list, end: () => { element.scrollTop = element.scrollHeight; } };
}

// Counts what came to a list while its end could not be seen, until it is. Returns a function to call whenever
// the list has grown: with how much of that is news, and whether its end is to be shown all the same.
export function unread(seat, element, end) {
  let count = 0, inView = true;
  const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  const told = (now) => { if (now !== count) { count = now; seat.tell("unread", count); } };
  const look = () => { if (inView && !document.hidden && atEnd()) told(0); };
  new IntersectionObserver(([{ isIntersecting }]) => { inView = isIntersecting; look(); }, { threshold: 0.6 }).observe(element);
  element.addEventListener("scroll", look);
  document.addEventListener("visibilitychange", look);
  seat.on("read", () => { element.scrollIntoView({ block: "nearest" }); end(); told(0); });
  let wasAtEnd = true;
  element.addEventListener("scroll", () => { wasAtEnd = atEnd(); });
  return (news, anyway) => {
    if (wasAtEnd || anyway) { end(); wasAtEnd = true; }
    told(count + news);
    look();
  };
}

// The conversation, read out as it grows, and a line to say something.
export function chat(seat, { say = "Say", label = "Chat", placeholder = "Write a message…", most = 500 } = {}) {
  const { element, list, end } = growing("said", label);
  const box = h("input", { type: "text", name: "text", autocomplete: "off", maxLength: most, placeholder, "aria-label": placeholder });
  const trouble = live("p", "assertive");
  trouble.className = "trouble";
  const grown = unread(seat, element, end);
  let shown = 0, first = true;
  seat.on("state", ({ state }) => {
    if (state.said.length < shown) { list.replaceChildren(); shown = 0; }
    const added = state.said.slice(shown);
    for (const each of added) {
      const mine = each.role === seat.role;
      list.append(h(mine ? "li.mine" : "li", {}, h("span.who", {}, mine ? "You" : title(each.role)), h("span.text", {}, each.text)));
    }
    const news = first ? 0 : added.filter((each) => each.role !== seat.role).length;
    if (added.length) grown(news, first || news < added.length);
    shown = state.said.length;
    first = false;
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

// What came of the last acts, newest last, in `words`. What went wrong is red until something succeeds.
export function console_(seat, label = "Console", words = (last) => last.message) {
  const { element, list, end } = growing("console", label);
  const write = (text, good) => {
    if (!text) return;
    list.append(h(good ? "li" : "li.bad", {}, text));
    while (list.children.length > 60) list.firstChild.remove();
    end();
  };
  const calm = () => { for (const each of list.querySelectorAll(".bad")) each.className = "past"; };
  let told = null;
  seat.on("trouble", (text) => write(text, false));
  seat.on("notice", ({ message }) => write(message, true));
  seat.on("state", ({ state: { last } }) => {
    const number = last?.number ?? -1, known = told;
    told = number;
    if (known === null || known === number) return;
    if (last.success) calm();
    write(words(last), last.success);
  });
  return { element: h("section.panel.log", { "aria-label": label }, element), write };
}

// Does things; what is refused is written to the console. Resolves to whether it was done.
export function acting(seat, log) {
  return async (name, args = {}) => {
    try { await seat.act(name, args); return true; } catch (error) { log.write(error.message, false); return false; }
  };
}

// A button that shows what a role is told: a name, lines, what to click, and what to press where there are keys.
export function told({ name, lines, hint, keys }) {
  const text = h("div.text", { tabIndex: 0 }, h("ul", {}, lines.map((each) => h("li", {}, each))), h("p.quiet", {}, hint), keys && h("p.quiet.keyed", {}, keys));
  const dialog = h("dialog.told", { "aria-label": name }, h("h2", {}, name), text,
    h("form.row", { method: "dialog" }, h("button.primary", { autofocus: true }, "Got it")));
  const button = h("button", { type: "button", onclick: () => { dialog.showModal(); text.scrollTop = 0; } }, "Instructions");
  button.dialog = dialog;
  return button;
}

// Shows a page. Its seat is taken when the instructions have been read, so that nobody acts and no time passes
// before.
export function begin(seat, ...children) {
  page(...children);
  const button = [...document.querySelectorAll(".bar button")].find((each) => each.dialog);
  const key = `told ${document.body.dataset.token}`;
  if (button) document.body.append(button.dialog);
  if (!button || sessionStorage.getItem(key)) { seat.connect(); return; }
  button.dialog.addEventListener("close", () => { sessionStorage.setItem(key, "yes"); seat.connect(); }, { once: true });
  button.click();
}

// The lessons of a tutorial: those to come, and how many are learnt.
export function lessons(all) {
  const open = all.filter((each) => !each.done);
  return [
    open.length ? h("ol.lessons", {}, open.map(({ text, keys }) => h("li", {}, text, keys && h("span.keyed", {}, keys.split(" ").map((key) => h("kbd", {}, key)))))) : null,
    open.length < all.length ? h("p.learnt", {}, open.length ? `✓ ${all.length - open.length} of ${all.length} tried` : `✓ You have tried all ${all.length} controls`) : null,
  ];
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
