// Two rows of one group: what differs, their numbers, and the same episode of both, moved together.
// The player and what loads episodes stand before this in the same script, and ROWS before them.
const FEW = 50;
const SHOWN_FIRST = (a, b) => Number(a.one.success === a.two.success) - Number(b.one.success === b.two.success);
const root = document.getElementById("pair");
const place = make("div", null, { id: "player", hidden: "" });
const account = make("div");
let controls = null;
const beginning = ROWS.find(partner) || ROWS[0];
let chosen = { one: beginning, two: partner(beginning) };

function partner(row) {
  return ROWS.find((each) => each.group === row.group && each.key !== row.key);
}

function selecting(name, rows, row) {
  const select = make("select", null, { "aria-label": name, onchange: () => choose(name, rows.find((each) => each.key === select.value)) },
    ...rows.map((each) => make("option", name === "first row" ? `${each.title} (${each.about})` : each.title, { value: each.key })));
  if (row) select.value = row.key;
  return select;
}

function choose(name, row) {
  chosen = name === "first row" ? { one: row, two: partner(row) } : { ...chosen, two: row };
  history.replaceState(null, "", `#${chosen.one.key}${chosen.two ? `,${chosen.two.key}` : ""}`);
  show();
}

function show() {
  close();
  const { one, two } = chosen;
  const others = ROWS.filter((each) => each.group === one.group && each.key !== one.key);
  const head = make("div", null, { class: "controls" }, selecting("first row", ROWS, one), ...(two ? [selecting("second row", others, two)] : []));
  root.replaceChildren(head, place, account);
  if (!two) { account.replaceChildren(make("p", "No other row has the same episodes.")); return; }
  account.replaceChildren(make("p", "…"));
  load(`pairs${one.group}`, (pairs) => load(one.key, (first) => load(two.key, (second) => {
    if (chosen.one === one && chosen.two === two) tell(pairs, first, second);
  })));
}

function tell(pairs, first, second) {
  const { one, two } = chosen;
  const straight = pairs[`${one.key} ${two.key}`], turned = pairs[`${two.key} ${one.key}`];
  const found = straight || turned;
  if (!found) { account.replaceChildren(make("p", "These two rows have no episode in common.")); return; }
  const [left, right] = straight ? [one, two] : [two, one];
  account.replaceChildren(
    make("h2", "What differs between them"), listed(found.differs),
    make("h2", "Numbers"), make("p", `${found.episodes} episodes in both. First: ${left.title}. Second: ${right.title}.`), numbers(found.numbers),
    make("h2", "Episodes"), episodes(first, second));
}

function listed(lines) {
  return lines.length ? make("ul", null, {}, ...lines.map((each) => make("li", each))) : make("p", "Nothing that could change a result.");
}

function table(head, rows) {
  const made = make("table", null, {}, make("tr", null, {}, ...head.map((each) => make("th", each))), ...rows);
  return make("div", null, { class: "scroll", tabindex: "0" }, made);
}

function numbers(found) {
  const head = Object.keys(Object.values(found)[0] || {});
  return table(["number", ...head], Object.entries(found).map(([name, each]) =>
    make("tr", null, {}, make("td", name), ...head.map((key) => make("td", each[key], { class: "number" })))));
}

function episodes(first, second) {
  const other = new Map(second.map((each, number) => [each.id, { ...each, number }]));
  const both = first.map((each, number) => ({ one: { ...each, number }, two: other.get(each.id) })).filter((each) => each.two).sort(SHOWN_FIRST);
  const rows = both.slice(0, FEW).map(({ one, two }) => {
    const open = () => begin(one.number, two.number);
    return make("tr", null, { tabindex: "0", onclick: open, onkeydown: (event) => event.key === "Enter" && open() },
      ...[one.id, one.task, score(one.success), score(two.success), one.steps, two.steps].map((each) => make("td", each)));
  });
  const { one, two } = chosen;
  const box = table(["episode", "task", `success: ${one.title}`, `success: ${two.title}`, `acts: ${one.title}`, `acts: ${two.title}`], rows);
  box.firstChild.id = "list";
  const more = both.length > FEW ? `, ${FEW} of which are listed` : "";
  return make("div", null, {}, make("p", `${both.length} episodes in both${more}; those in which only one succeeds come first. Select one to play it.`), box);
}

function begin(first, second) {
  const { one, two } = chosen;
  load(`${one.key}/${first}`, (a) => load(`${two.key}/${second}`, (b) => {
    const players = [a, b].map((each) => {
      whole(each.steps);
      return new Player(each, (step) => (each.views ? look(each.views, step) : { pictures: {}, texts: {}, changes: [] }));
    });
    controls?.close();
    controls = new Controls(players, make("button", "close", { type: "button", onclick: close }));
    const sides = players.map((each, number) => make("section", null, {}, make("h2", [one, two][number].title), each.element));
    place.replaceChildren(controls.element, make("div", null, { class: "both" }, ...sides));
    place.hidden = false;
    place.scrollIntoView({ block: "start" });
  }));
}

function close() {
  controls?.close();
  controls = null;
  place.hidden = true;
  place.replaceChildren();
}

const [wanted, beside] = location.hash.slice(1).split(",").map((key) => ROWS.find((each) => each.key === key));
if (wanted) chosen = { one: wanted, two: beside && beside.group === wanted.group ? beside : partner(wanted) };
show();
