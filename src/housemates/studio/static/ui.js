// Building pages from text and elements. Text is always text: nothing here reads HTML.

export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

// Fills an element anew; whoever was there by keyboard stays at the same control, or at the element.
export function refill(element, ...children) {
  const called = (each) => each.getAttribute("aria-label") ?? (each.textContent || each.name);
  const held = element.contains(document.activeElement) ? called(document.activeElement) : null;
  fill(element, ...children);
  if (held === null) return;
  const again = [...element.querySelectorAll("button, input, select, textarea")].find((each) => called(each) === held);
  if (!again && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  (again ?? element).focus({ preventScroll: true });
}

export function words(name) {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " ");
}

export function title(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Asks in a dialog; resolves to true if the answer is yes.
export function confirmed(question, yes = "Yes", no = "No") {
  return new Promise((resolve) => {
    const dialog = h("dialog.ask", { "aria-label": question },
      h("p", {}, question),
      h("form.row", { method: "dialog" },
        h("button.primary", { value: "yes" }, yes),
        h("button", { value: "no", autofocus: true }, no)));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.error || `The server answered ${answer.status}.`);
  return found;
}

// Shows whether a button would fail, and why; it can still be reached, so that the reason can be read.
export function excuse(button, why, hint) {
  if (why) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
  button.title = why || hint;
}

// A region that screen readers read out when its text changes.
export function live(tag = "div", politeness = "polite") {
  return h(tag, { "aria-live": politeness, role: politeness === "assertive" ? "alert" : "status" });
}

// Loads a style sheet of a page.
export function style(name) {
  document.head.append(h("link", { rel: "stylesheet", href: `/static/${name}` }));
}
