// Names for things that programs know by ids: "credit card 2" is the second credit card that this page was told of.

import { words } from "./ui.js";

const ID = /[A-Za-z]+(?:\|[-+0-9.]+){3}(?:\|[A-Za-z]+(?:_[0-9]+)?)*/g;

export class Names {
  constructor() {
    this.byId = new Map();
    this.counts = new Map();
  }

  // The name of an id; what is no id is its own name.
  of(id) {
    if (!id.match(ID) || id.match(ID)[0] !== id) return id;
    if (!this.byId.has(id)) {
      const [kind] = id.split("|").filter((part) => /^[A-Za-z]/.test(part)).slice(-1).map((part) => words(part.split("_")[0]).toLowerCase().replace(" sliced", " slice"));
      const count = (this.counts.get(kind) ?? 0) + 1;
      this.counts.set(kind, count);
      this.byId.set(id, `${kind} ${count}`);
    }
    return this.byId.get(id);
  }

  // A text with names instead of ids.
  in(text) {
    return text.replace(ID, (id) => this.of(id));
  }
}
