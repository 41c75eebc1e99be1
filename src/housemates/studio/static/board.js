// CerealBar's board on a canvas: from straight above, or at an angle with what stands on it.

export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const DEGREES = [30, 90, 150, 210, 270, 330];
const CLOSER = 2.4;
const ANGLED = Math.sin((35 * Math.PI) / 180);
const PLAYERS = { leader: "#3c5abe", follower: "#dc7828" };
export const css = ([r, g, b], shade = 1) => `rgb(${r * shade} ${g * shade} ${b * shade})`;

// Draws things of a hex around (0, 0), where a hex has a radius of 1 and y goes down; `up` is how far one unit
// of height goes.
const PROPS = {
  tree(pen, colour, height, up) {
    pen.fillStyle = "#6d4d30";
    pen.fillRect(-0.1, -0.45 * up, 0.2, 0.5 * up + 0.05);
    disc(pen, 0, -0.55 * up - 0.15, 0.6, css(colour));
    disc(pen, -0.15, -0.62 * up - 0.25, 0.34, css(colour, 1.12));
  },
  plant(pen, colour) {
    disc(pen, -0.25, 0.05, 0.3, css([92, 148, 70]));
    disc(pen, 0.25, 0.1, 0.3, css([82, 138, 62]));
    for (const [x, y] of [[-0.25, -0.1], [0.2, -0.05], [0, 0.15]]) disc(pen, x, y, 0.17, css(colour));
  },
  hut(pen, colour, height, up) {
    shape(pen, [[-0.6, 0.35], [0.6, 0.35], [0.6, 0.35 - 0.6 * up - 0.1], [-0.6, 0.35 - 0.6 * up - 0.1]], "#e2ceb0");
    shape(pen, [[-0.16, 0.35], [0.16, 0.35], [0.16, 0.35 - 0.4 * up], [-0.16, 0.35 - 0.4 * up]], "#603e28");
    shape(pen, [[-0.85, 0.25 - 0.5 * up], [0.85, 0.25 - 0.5 * up], [0, -0.35 - 0.9 * up]], css(colour));
  },
  tent(pen, colour, height, up) {
    shape(pen, [[-0.75, 0.4], [0.75, 0.4], [0, -0.5 * up - 0.25]], css(colour));
    shape(pen, [[-0.18, 0.4], [0.18, 0.4], [0, -0.05 * up]], "#46301f");
  },
  windmill(pen, colour, height, up) {
    shape(pen, [[-0.55, 0.4], [0.55, 0.4], [0.35, -up], [-0.35, -up]], css(colour));
    shape(pen, [[-0.45, -up], [0.45, -up], [0, -1.45 * up - 0.1]], "#964632");
    pen.strokeStyle = "#785a3c";
    pen.lineWidth = 0.12;
    for (const [x, y] of [[0.75, 0.55], [-0.55, 0.75]]) { pen.beginPath(); pen.moveTo(-x, -0.9 * up - y); pen.lineTo(x, -0.9 * up + y); pen.stroke(); }
  },
  tower(pen, colour, height, up) {
    shape(pen, [[-0.5, 0.4], [0.5, 0.4], [0.5, -up], [-0.5, -up]], css(colour));
    shape(pen, [[-0.65, -up], [0.65, -up], [0.65, -1.25 * up - 0.1], [-0.65, -1.25 * up - 0.1]], css(colour, 0.85));
    shape(pen, [[-0.15, 0.4], [0.15, 0.4], [0.15, 0.4 - 0.4 * up], [-0.15, 0.4 - 0.4 * up]], "#503828");
  },
  lamppost(pen, colour, height, up) {
    pen.fillStyle = css(colour);
    pen.fillRect(-0.07, -0.9 * up, 0.14, 0.9 * up + 0.2);
    disc(pen, 0, -0.9 * up - 0.15, 0.24, "#faeca0");
  },
};

const SYMBOLS = {
  plus: [[-0.3, -1], [0.3, -1], [0.3, -0.3], [1, -0.3], [1, 0.3], [0.3, 0.3], [0.3, 1], [-0.3, 1], [-0.3, 0.3], [-1, 0.3], [-1, -0.3], [-0.3, -0.3]],
  diamond: [[0, -1.1], [0.8, 0], [0, 1.1], [-0.8, 0]],
  cube: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
  triangle: [[0, -1], [1, 0.85], [-1, 0.85]],
  star: Array.from({ length: 10 }, (_, i) => { const r = i % 2 ? 0.45 : 1.1, a = (Math.PI * i) / 5; return [r * Math.sin(a), -r * Math.cos(a)]; }),
  heart: Array.from({ length: 24 }, (_, i) => { const a = (Math.PI * i) / 12; return [1.05 * Math.sin(a) ** 3, -(13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a)) / 16]; }),
};
const TORUS = Array.from({ length: 16 }, (_, i) => [[i, 0.5], [i, 1], [i + 1, 1], [i + 1, 0.5]].map(([k, r]) => [r * Math.sin((Math.PI * k) / 8), -r * Math.cos((Math.PI * k) / 8)]));

function disc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function shape(pen, corners, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fill();
}

// The outlines of what is printed on cards; a torus is made of pieces, as it has a hole.
export function symbolShape(name) {
  return name === "torus" ? TORUS : [SYMBOLS[name]];
}

// East and north of a hex in radii of a hex; row 0 is in the south.
export function place(at, width) {
  const y = Math.floor(at / width), x = at % width;
  return [(x + 0.5 * (y & 1)) * Math.sqrt(3), y * 1.5];
}

export class Board {
  constructor(canvas) {
    this.canvas = canvas;
    this.overhead = this.planned = this.closer = false;
    this.plan = null;
    this.wanted = [];
  }

  // Takes what the server says of the board, and draws it.
  show(board, legend) {
    this.board = board;
    this.legend = legend;
    this.draw();
  }

  draw() {
    if (!this.board) return;
    const { width, height } = this.board;
    const ratio = window.devicePixelRatio || 1;
    const tilt = this.overhead ? 1 : ANGLED;
    const wide = (width + 0.5) * Math.sqrt(3) + 0.6, tall = (height * 1.5 + 1) * tilt + (this.overhead ? 0.6 : 2.4);
    const box = this.canvas.parentElement.getBoundingClientRect();
    const scale = Math.max(4, Math.min(box.width / wide, box.height / tall)) * (this.closer ? CLOSER : 1);
    this.canvas.style.width = `${wide * scale}px`;
    this.canvas.style.height = `${tall * scale}px`;
    this.canvas.width = Math.round(wide * scale * ratio);
    this.canvas.height = Math.round(tall * scale * ratio);
    const pen = this.canvas.getContext("2d");
    this.place = (at) => {
      const [east, north] = place(at, this.board.width);
      return [east + Math.sqrt(3) / 2 + 0.3, tall - 0.3 - (north + 1) * tilt];
    };
    this.scale = scale;
    this.tilt = tilt;
    pen.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
    for (let at = width * height - 1; at >= 0; at--) this.ground(pen, at);
    const things = [...this.things()].sort((a, b) => b.at - a.at || a.layer - b.layer);
    for (const thing of things) {
      pen.save();
      pen.translate(...this.place(thing.at));
      thing.draw(pen);
      pen.restore();
    }
  }

  // Brings a player into the middle of what is shown of the board.
  centre(role) {
    const sheet = this.canvas.parentElement;
    const [x, y] = this.place(this.board.players[role].at);
    sheet.scrollTo(x * this.scale - sheet.clientWidth / 2, y * this.scale - sheet.clientHeight / 2);
  }

  ground(pen, at) {
    const { colour } = this.legend.terrain[DIGITS.indexOf(this.board.terrain[at])];
    const [x, y] = this.place(at);
    const corners = [0, 1, 2, 3, 4, 5].map((i) => [x + Math.sin((i * Math.PI) / 3), y - this.tilt * Math.cos((i * Math.PI) / 3)]);
    const plan = this.planned ? this.plan : null;
    shape(pen, corners, css(colour, plan ? 0.75 : 1));
    if (plan?.[at] > 0.02) shape(pen, corners, `rgb(255 40 160 / ${Math.min(0.85, this.plan[at])})`);
    pen.strokeStyle = "rgb(0 0 0 / .13)";
    pen.lineWidth = 0.06;
    pen.stroke();
  }

  *things() {
    const up = this.overhead ? 0.25 : 1;
    for (let at = 0; at < this.board.props.length; at++) {
      if (this.board.props[at] === ".") continue;
      const { family, colour, height } = this.legend.props[DIGITS.indexOf(this.board.props[at])];
      yield { at, layer: 1, draw: (pen) => PROPS[family](pen, colour, height, up) };
    }
    for (const at of this.wanted) yield { at, layer: 0.5, draw: (pen) => this.ring(pen) };
    for (const card of this.board.cards) yield { at: card.at, layer: 0, draw: (pen) => this.card(pen, card) };
    for (const [role, { at, heading }] of Object.entries(this.board.players)) {
      yield { at, layer: 2, draw: (pen) => this.player(pen, role, heading, up) };
    }
  }

  card(pen, { number, colour, shape: name, selected }) {
    pen.scale(1.3, 1.3 * (0.62 + 0.38 * this.tilt));
    pen.fillStyle = "#f6f4ec";
    pen.strokeStyle = !selected ? "rgb(0 0 0 / .35)" : this.board.valid ? "#286eff" : "#e21e1e";
    pen.lineWidth = selected ? 0.22 : 0.06;
    pen.beginPath();
    pen.roundRect(-0.52, -0.72, 1.04, 1.44, 0.12);
    pen.fill();
    pen.stroke();
    for (let i = 0; i < number; i++) {
      pen.save();
      pen.translate(0, (i - (number - 1) / 2) * 0.45);
      pen.scale(0.19, 0.19);
      for (const outline of symbolShape(name)) shape(pen, outline, css(this.legend.symbols[colour]));
      pen.restore();
    }
  }

  ring(pen) {
    pen.strokeStyle = "#ffd640";
    pen.lineWidth = 0.16;
    pen.setLineDash([0.3, 0.2]);
    pen.beginPath();
    pen.ellipse(0, 0, 1.15, 1.15 * (0.62 + 0.38 * this.tilt), 0, 0, 2 * Math.PI);
    pen.stroke();
    pen.setLineDash([]);
  }

  player(pen, role, heading, up) {
    const angle = (DEGREES[heading] * Math.PI) / 180;
    const x = Math.sin(angle), y = -this.tilt * Math.cos(angle);
    pen.strokeStyle = "#fff";
    pen.lineWidth = 0.34;
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.lineTo(x * 1.05, y * 1.05);
    pen.stroke();
    pen.strokeStyle = PLAYERS[role];
    pen.lineWidth = 0.2;
    pen.stroke();
    shape(pen, [[-0.42, 0.25], [0.42, 0.25], [0.2, -0.75 * up - 0.1], [-0.2, -0.75 * up - 0.1]], PLAYERS[role]);
    disc(pen, 0, -0.75 * up - 0.2, 0.36, "#fff");
    disc(pen, 0, -0.75 * up - 0.2, 0.3, PLAYERS[role]);
    pen.fillStyle = "#fff";
    pen.font = "600 0.5px system-ui";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(role[0].toUpperCase(), 0, -0.75 * up - 0.18);
  }

  // The card under the pointer, if there is one.
  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / this.scale, y = (event.clientY - box.top) / this.scale;
    return this.board?.cards.find(({ at }) => { const [cx, cy] = this.place(at); return Math.abs(x - cx) < 0.7 && Math.abs(y - cy) < 0.8; });
  }
}
