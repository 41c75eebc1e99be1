// A seat: the connection over which one role of one play is played. See ../README.md for the messages.
//
// Events: hello, state, picture (detail: {name, turn, width, height, bitmap}), acted, present, ended,
// notice, trouble (detail: text), line (detail: "open" | "lost" | "closed").

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const PING_MS = 20000;
const FINAL = new Set([4001, 4003, 4005, 1008]);

export class Seat extends EventTarget {
  constructor(path) {
    super();
    this.path = path;
    this.number = 0;
    this.waiting = new Map();
    this.pictures = new Map();
    this.state = null;
    this.brief = null;
    this.wait = FIRST_WAIT_MS;
    this.closed = false;
  }

  static here() {
    return new Seat(`/ws/seat/${document.body.dataset.token}`);
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.wait = FIRST_WAIT_MS; this.tell("line", "open"); };
    this.heard = Promise.resolve();
    this.socket.onmessage = (event) => { this.heard = this.heard.then(() => this.hear(event.data)); };
    this.socket.onclose = (event) => this.lost(event.code);
    clearInterval(this.ping);
    this.ping = setInterval(() => this.send({ type: "ping" }), PING_MS);
    return this;
  }

  lost(code) {
    for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost."));
    this.waiting.clear();
    if (this.closed || FINAL.has(code)) {
      clearInterval(this.ping);
      this.tell("line", "closed");
      if (code === 4001) this.tell("trouble", "This seat was opened in another window.");
      if (code === 4003) this.tell("trouble", "There is no such seat.");
      return;
    }
    this.tell("line", "lost");
    setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  // Does something; resolves when it is on disk, rejects with a sentence if it was refused.
  act(name, args = {}) {
    return this.asked({ type: "act", act: { name, arguments: args } });
  }

  // What is at a place (0 to 1) of one of this seat's pictures; null if nothing is.
  async point(picture, x, y) {
    return (await this.asked({ type: "point", picture, x, y })).found;
  }

  asked(message) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      if (!this.send({ ...message, id })) { reject(new Error("Not connected; wait a moment.")); return; }
      this.waiting.set(id, { resolve, reject });
    });
  }

  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  async hear(data) {
    if (typeof data !== "string") { await this.see(data); return; }
    const message = JSON.parse(data);
    if (message.type === "done" || message.type === "refused" || message.type === "pointed") {
      const found = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!found) return;
      if (message.type === "refused") found.reject(new Error(message.message));
      else found.resolve(message);
      return;
    }
    if (message.type === "hello") { this.brief = message.brief; this.role = message.role; this.seats = message.seats; }
    if (message.type === "state") { this.state = message.state; document.body.dataset.turn = message.state.turn; }
    if (message.type === "error") this.tell("trouble", message.message);
    else this.tell(message.type, message);
  }

  async see(data) {
    const length = new DataView(data).getUint16(0);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 2, length)));
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(data, 2 + length)]));
    const picture = { name: header.picture, ...header, bitmap };
    this.pictures.set(header.picture, picture);
    this.tell("picture", picture);
  }

  close() {
    this.closed = true;
    this.socket?.close(1000);
  }

  on(type, listener) {
    this.addEventListener(type, (event) => listener(event.detail));
    return this;
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

// A canvas that always shows a seat's picture of a name, as sharp as it is.
export function screen(seat, name, label) {
  const canvas = document.createElement("canvas");
  canvas.className = "screen";
  canvas.width = canvas.height = 300;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  seat.on("picture", (picture) => {
    if (picture.name !== name) return;
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
    }
    canvas.getContext("2d").drawImage(picture.bitmap, 0, 0);
    canvas.dataset.turn = picture.turn;
    canvas.dispatchEvent(new CustomEvent("drawn", { detail: picture }));
  });
  return canvas;
}
