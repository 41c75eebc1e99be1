// A CerealBar follower in plain JavaScript: a program of its own that any seat can be given to.
//
//   node examples/follower.js 8700
//   housemates eval cerealbar --agents leader=talking follower=http://127.0.0.1:8700/ --episodes 3
//
// It needs no packages. docs/adapters.md has the protocol.
"use strict";
const http = require("node:http");

const STEP = {
  "ahead": "Forward",
  "ahead right": "TurnRight",
  "behind right": "TurnRight",
  "behind": "TurnRight",
  "behind left": "TurnLeft",
  "ahead left": "TurnLeft",
};
const PATIENCE = 12; // steps for one instruction

const episodes = new Map(); // many can be under way at once

/** The cards that a text tells of, the nearest first. */
function cardsOf(text) {
  const line = /^Card (\d) (\w+) (\w+)(, selected)?: (\d+) hex(?:es)?: \d+ ([a-z ]+)/gm;
  return [...text.matchAll(line)].map(([, count, colour, shape, selected, hexes, way]) => ({
    words: [count, colour, shape], selected: Boolean(selected), hexes: Number(hexes), way: way.trim(),
  }));
}

/** Walk to the card that the instruction names best; when it is reached, or it takes too long, it is done. */
function act(episode, percept) {
  const can = percept.offers.map((offer) => offer.name);
  const told = /^Instruction \(current\): (.*)$/m.exec(percept.text)?.[1].toLowerCase() ?? "";
  if (told !== episode.told) Object.assign(episode, { told, steps: 0, detour: 0 });
  const named = (card) => card.words.filter((word) => told.includes(word)).length;
  const cards = cardsOf(percept.text).filter((card) => !card.selected && named(card) >= 2);
  const goal = cards.sort((one, other) => named(other) - named(one) || one.hexes - other.hexes)[0];
  episode.steps += 1;
  if (!goal || episode.steps > PATIENCE) {
    episode.told = undefined;
    return can.includes("Done") ? "Done" : can[0];
  }
  if (episode.detour > 0 && can.includes("Forward")) {
    episode.detour = 0;
    return "Forward";
  }
  const step = STEP[goal.way];
  if (step !== "Forward" || can.includes("Forward")) return can.includes(step) ? step : "Done";
  episode.detour = 1;
  return can.includes("TurnLeft") ? "TurnLeft" : "Done";
}

/** What is answered to each kind of message. */
const answers = {
  hello: () => ({ protocol: 1, wants: ["text", "offers"] }),
  reset: (message) => { episodes.set(message.episode, {}); return {}; },
  act: (message) => ({ act: act(episodes.get(message.episode), message.percept) }),
  close: (message) => { episodes.delete(message.episode); return {}; },
};

const server = http.createServer(async (request, response) => {
  try {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const message = JSON.parse(body);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(answers[message.type](message)));
  } catch (error) {
    response.statusCode = 400;
    response.end(String(error));
  }
});
server.listen(Number(process.argv[2] ?? 8700), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`);
});
