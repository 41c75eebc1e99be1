// What the two players of CerealBar are told.

import { told } from "../parts.js";

const BOTH = [
  "You two collect sets of cards. A set is three cards that differ in colour, in shape and in count.",
  "Whoever steps on a card selects it, or undoes its selection. When the only cards selected are a set, you score a point, new cards come and turns are added.",
];
const TOLD = {
  leader: {
    name: "You are the Leader",
    lines: [...BOTH,
    "You see the whole board. Plan the next set, take cards yourself, and tell the Follower which ones to get; it has more steps than you, and sees only what is before it.",
    "You have 5 steps a turn and can write as many instructions as you like. They wait in a queue until the Follower is done with those before them.",
    "The Follower cannot answer. A red outline means that the selected cards cannot become a set: somebody must step on one of them again.",
    ],
    hint: "No clock runs before your first act. You are the figure with an L.",
    keys: "Arrow keys move and turn you. T writes an instruction, Enter sends it, Escape leaves the line. N ends your turn, C shows the board from above.",
  },
  follower: {
    name: "You are the Follower",
    lines: [...BOTH,
    "You see only what is before you. The Leader sees everything and tells you what to do; you cannot answer.",
    "Do what the current instruction says and nothing else, then press Done: it shows the next one, or ends your turn. You have 10 steps a turn.",
    "Do not take cards by your own plan: the Leader may have another.",
    ],
    hint: "No clock runs before your first act.",
    keys: "Arrow keys move and turn you. D says that the current instruction is done.",
  },
};

export function instructions(role) {
  return told(TOLD[role]);
}
