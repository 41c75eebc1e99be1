// What players are told before they begin, after the instructions of the paper's appendix C.

import { told } from "../parts.js";

const AFTER = document.body.dataset.kind === "demo" ? "A short survey follows." : "A short survey follows, then your code.";
const MOVE = "Move with W A S D, Q and E, look with R and F. With the picture focused, the arrow keys move a pointer and Enter acts.";
const TOLD = {
  follower: {
    name: "You are the robot",
    lines: [
      "Pretend that you are a robot who does the chores in this house for your user, the Commander.",
      "Write “What should I do today?” so that the Commander knows you are there.",
      "Once you are told what to do, try to do it. Ask questions, ask the Commander to search for things, or to check whether a step is complete.",
      "When you have finished a step, say so and ask for the next one.",
      "When you need something, ask the Commander to search for it first. If they cannot find it, search yourself; remember to open drawers and cabinets.",
      `When the task is done, the Commander finishes the session. ${AFTER}`,
    ],
    hint: "Choose a thing in the picture to see what you can do with it; what does not work says why. Or choose an action first, then the thing.",
    keys: `${MOVE} The keys 1 to 8 choose an action.`,
  },
  commander: {
    name: "You are the user",
    lines: [
      "Pretend that this is your house, and that you tell your robot what to do. The robot may be a person like you: be kind.",
      "Press Progress check to see what is to be done. The robot cannot see it, so tell them in the chat.",
      "If the task has many steps, do not tell all of them at once: wait until a step is done, then give the next.",
      "Choose a step or search by name to be shown where things are, and tell the robot. If you cannot tell, say that you do not know.",
      "Help with problems: is the water running, is the sink too full, is the door open?",
      `When Progress check says that all is done, press Finish. ${AFTER}`,
    ],
    hint: "Your camera flies through the home: the arrow buttons move it, ▲ and ▼ take it up and down.",
    keys: "Or fly with W A S D, Q and E, up with R, down with F. P checks the progress, / searches.",
  },
  tutorial: {
    name: "Learn the controls",
    lines: [
      "In the tutorial you are both: you see what is to be done, and you do it.",
      "First try the controls. Then make coffee, and cook a slice of potato.",
      "Coffee: find a mug; if it is dirty, wash it in the sink under running water; empty it; put it into the coffee machine and turn that on.",
      "Potato: take a knife, slice the potato, then heat a slice in a pan on the stove or in the microwave.",
      "Steps tick themselves off. When all is done, the tutorial ends.",
    ],
    hint: "Choose a thing in the picture to see what you can do with it; what does not work says why.",
    keys: MOVE,
  },
};

export function instructions(role) {
  return told(TOLD[role]);
}
