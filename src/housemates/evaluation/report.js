// The player and what loads episodes stand before this in the same script, and RUNS before them.
const PAGE = 100;
let chosen = { run: RUNS[0].key, shown: PAGE, words: "", failed: false };
let controls = null;

const root = document.getElementById("episodes");
const place = make("div", null, { id: "player", hidden: "" });
const list = make("div");
root.append(choosing(), place, list);

function choosing() {
  const runs = make("select", null, { "aria-label": "run", onchange: () => choose({ run: runs.value }) });
  RUNS.forEach((each) => runs.append(make("option", each.title, { value: each.key })));
  const words = make("input", null, { type: "search", placeholder: "id or task", "aria-label": "id or task", oninput: () => choose({ words: words.value.toLowerCase() }) });
  const label = make("label", " failed only");
  const failed = make("input", null, { type: "checkbox", onchange: () => choose({ failed: failed.checked }) });
  label.prepend(failed);
  return make("div", null, { class: "controls" }, runs, words, label);
}

function choose(change) {
  chosen = { ...chosen, shown: PAGE, ...change };
  load(chosen.run, show);
}

function show(episodes) {
  const found = episodes.map((each, number) => ({ ...each, number })).filter((each) =>
    (!chosen.failed || each.success !== 1) && `${each.id} ${each.task}`.toLowerCase().includes(chosen.words));
  const table = make("table", null, { id: "list" });
  const head = make("tr");
  ["episode", "task", "success", "acts", "failures", "ended", "seconds", "pictures"].forEach((each) => head.append(make("th", each)));
  table.append(head);
  for (const each of found.slice(0, chosen.shown)) {
    const row = make("tr", null, { tabindex: "0", onclick: () => go(each.number), onkeydown: (event) => event.key === "Enter" && go(each.number) });
    [each.id, each.task, score(each.success), each.steps, each.failures, each.error || each.ended, each.seconds, each.pictures ? "yes" : ""].forEach((cell, column) =>
      row.append(make("td", cell, column === 5 && each.error ? { class: "failed long" } : {})));
    table.append(row);
  }
  const box = make("div", null, { class: "scroll", tabindex: "0" }, table);
  const parts = [make("p", `${found.length} of ${episodes.length} episodes; choose one to play it.`), box];
  if (found.length > chosen.shown) parts.push(make("button", `show ${PAGE} more`, { class: "more", onclick: () => { chosen.shown += PAGE; show(episodes); } }));
  list.replaceChildren(...parts);
}

// The address names the episode that is open, so that Back closes it and a link opens it.
function go(number) {
  history.pushState({ opened: true }, "", `#${chosen.run}/${number}`);
  route();
}

function leave() {
  if (history.state?.opened) return history.back();
  history.replaceState(null, "", location.pathname);
  route();
}

function route() {
  const [run, number] = location.hash.slice(1).split("/");
  const known = RUNS.some((each) => each.key === run);
  if (known && run !== chosen.run) {
    root.querySelector("select").value = run;
    choose({ run });
  }
  if (!known || number === undefined) return close();
  load(`${run}/${number}`, (episode) => location.hash === `#${run}/${number}` && begin(episode));
}

function begin(episode) {
  whole(episode.steps);
  controls?.close();
  const player = new Player(episode, (step) => (episode.views ? look(episode.views, step) : { pictures: {}, texts: {}, changes: [] }));
  controls = new Controls([player], make("button", "close", { type: "button", onclick: leave }));
  place.replaceChildren(controls.element, player.element);
  place.hidden = false;
  place.scrollIntoView({ block: "start" });
}

function close() {
  controls?.close();
  controls = null;
  place.hidden = true;
  place.replaceChildren();
}

window.addEventListener("popstate", route);
choose({});
route();
