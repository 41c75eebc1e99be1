// HandMeThat: the human's way through the home, the home as the robot knows it, and what can be done now.

import { Seat } from "../seat.js";
import { acting, bar, begin, chat, console_, ending, lessons, told } from "../parts.js";
import { confirmed, h, fill, refill, style, title, words } from "../ui.js";

style("pages/handmethat.css");
const seat = Seat.here();
const log = console_(seat, "What happened");
const talk = chat(seat, { label: "Questions and answers" });
talk.querySelector("form").remove();
const request = h("p.request");
const trail = h("ol.trail", { tabIndex: 0, "aria-label": "What the human did, in order" });
const home = h("div.rooms");
const filter = h("input", { type: "text", placeholder: "Find a thing or a command…", "aria-label": "Find a thing or a command", oninput: () => draw() });
const commands = h("div.commands", { role: "group", "aria-label": "What you can do now" });
const questions = h("div.questions", { role: "group", "aria-label": "What you can ask" });
const numbers = h("p.turn", { role: "status", "aria-live": "polite" });
const line = h("input", { type: "text", name: "command", autocomplete: "off", maxLength: 200, placeholder: "Or write a command…", "aria-label": "Write a command" });
const VERBS = ["move to", "pick up", "put", "give", "open", "close", "toggle on", "toggle off", "clean", "soak", "slice", "heat", "cool"];
const tutorial = document.body.dataset.kind === "tutorial";
const learning = h("section.panel.learning", { "aria-label": "Tutorial", hidden: !tutorial });
const instructions = told({
  name: tutorial ? "Learn how it goes" : "You are the robot",
  lines: [
    "A human worked in this home towards a goal of her own. Then she stopped and asked you for something, in as few words as she thinks will do.",
    "Look at what she did, stop by stop: it tells what she needs next.",
    "Find out what she means, and do it: most often, bring it to her. Go to where it is, open what is closed, pick it up, go back to the human, and give it to her.",
    "Every command costs a move and a point, and you have forty moves. A question costs points, too, where questions are answered.",
    tutorial ? "Here she says exactly what she wants." : "When you have done what she means, the session ends. If you give up, press Stop.",
  ],
  hint: "“Go there” takes you to a place. Choose a thing to see the commands about it, or search for words in the commands.",
});
const act = acting(seat, log);
const command = (text) => act("Command", { command: text });
const possible = () => seat.state.offers.find((each) => each.name === "Command")?.schema.properties.command.enum ?? [];
const matches = (text) => words(text).toLowerCase().includes(words(filter.value.trim()).toLowerCase());

const stops = (views, name) => views.story.flatMap(({ place }, i) => (place === name ? [i + 1] : []));

function stop({ place, deeds }) {
  return h("li", {}, h("span.where", {}, words(place)), deeds.map((each) => h("span.deed", {}, words(each))));
}

function thing({ name, looks, things }) {
  const shown = [name, ...looks].some(matches) || things.some((each) => [each.name, ...each.looks].some(matches));
  return shown && h("li", {}, h("button.thing", { type: "button", title: `What can be done with ${words(name)}?`, onclick: () => { filter.value = words(name); draw(); } },
    words(name), looks.length ? h("small", {}, looks.join(", ")) : null), things.length ? h("ul", {}, things.map(thing)) : null);
}

function room(views) {
  return ({ name, flags, things }) => {
    const go = `move to ${name}`;
    const found = things.map(thing).filter(Boolean);
    if (filter.value && !found.length && !matches(name)) return null;
    return h(name === views.place ? "section.room.here" : "section.room", { "aria-label": name },
      h("h3", {}, stops(views, name).map((each) => h("span.stop", { title: "The human was here", "aria-label": `Stop ${each} of the human:`, role: "img" }, each)), title(name), h("small.quiet", {}, flags.join(", ")),
        possible().includes(go) ? h("button.go", { type: "button", "aria-label": `Go there: ${name}`, onclick: () => command(go) }, "Go there") : name === views.place ? h("span.badge", {}, "You are here") : null),
      h("ul", {}, found));
  };
}

function verb(text) {
  return VERBS.find((each) => text.startsWith(each)) ?? text.split(" ")[0];
}

function draw() {
  const { views, offers } = seat.state;
  refill(home, views.places.map(room(views)));
  const groups = Map.groupBy(possible().filter(matches), verb);
  refill(commands, [...groups].map(([name, each]) => h("div.group", {}, h("span.quiet", {}, title(name)),
    each.map((text) => h("button", { type: "button", "aria-label": text, onclick: () => command(text) }, words(text.slice(name.length).trim() || text))))),
  groups.size ? null : h("p.quiet", {}, "Nothing that can be done here fits."));
  const asking = offers.find((each) => each.name === "Ask");
  questions.hidden = !asking;
  if (asking && !questions.childElementCount) {
    fill(questions, h("p.quiet", {}, `A question costs ${views.question_price}, the last one three times as much.`),
      asking.schema.properties.question.enum.map((text) => h("button", { type: "button", onclick: () => act("Ask", { question: text }) }, text)));
  }
}

seat.on("state", ({ state }) => {
  const { views } = state;
  request.textContent = `“${words(views.instruction)}”`;
  if (!trail.childElementCount) fill(trail, views.story.map(stop));
  fill(numbers, h("span", {}, `${views.moves_left} moves left`), h("span", {}, `score ${views.score}`), h("span", {}, `in hand: ${words(views.held ?? "nothing")}`));
  if (tutorial) fill(learning, lessons(views.lessons));
  draw();
});
ending(seat, () => {
  const { views } = seat.state;
  return [h("h2", {}, views.success ? "That is what she meant." : "That was not it."), h("p", {}, `Score ${views.score}, ${views.moves_left} moves left.`)];
});
begin(seat, bar(seat, tutorial ? "Tutorial" : "Robot", numbers, instructions, h("button", { type: "button", onclick: async () => { if (await confirmed("Stop here?", "Stop", "Go on")) act("Stop", {}); } }, "Stop")),
  h("main.handmethat", {},
    h("section.panel.story", { "aria-label": "The human" }, h("h2", {}, "What the human did"), h("div.told", {}, trail, request)),
    h("div.column", {}, learning, h("section.panel.doing", { "aria-label": "What you can do" }, filter, commands,
      h("form.row.free", { onsubmit: (event) => { event.preventDefault(); if (line.value.trim()) command(line.value.trim()); line.value = ""; } }, line, h("button", {}, "Do it"))),
    questions, talk, log.element),
    h("section.panel.home", { "aria-label": "The home" }, h("h2", {}, "The home, as you know it"), home)));
