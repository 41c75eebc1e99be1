// The follower's own eyes on a canvas: the board from where it stands, the farthest hexes first.

import { DEGREES, DIGITS, css, place, symbolShape } from "./board.js";

const PITCH = (35 * Math.PI) / 180;
const FOCUS = 1 / Math.tan((42.5 * Math.PI) / 180);
const NEAR = 0.06;
const SIDES = 10;
const RINGS = 4;
const TINTS = [1, 0.965, 0.93];
const LIGHT = [0.41, 0.82, -0.41];
const CARD = { half: 0.62, edge: 0.74, top: 0.14, tilt: (55 * Math.PI) / 180 };
const ROWS = { 1: [0], 2: [0.28, -0.28], 3: [0.4, 0, -0.4] };
const SIZES = { 1: 0.36, 2: 0.25, 3: 0.185 };
const PLAYER_HEIGHT = 1.7;
const CORNERS = [0, 1, 2, 3, 4, 5].map((i) => [Math.sin((i * Math.PI) / 3), Math.cos((i * Math.PI) / 3)]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

// Faces of solids in a box from `lo` to `hi`, seen from outside.
const SOLIDS = {
  box: (lo, hi) => prism([[lo[0], lo[2]], [lo[0], hi[2]], [hi[0], hi[2]], [hi[0], lo[2]]], lo, hi, 1),
  cylinder: (lo, hi) => prism(ring(lo, hi), lo, hi, 1),
  cone: (lo, hi, taper) => prism(ring(lo, hi), lo, hi, taper),
  ellipsoid: (lo, hi) => {
    const middle = lo.map((each, i) => (each + hi[i]) / 2), half = lo.map((each, i) => (hi[i] - each) / 2);
    const point = (i, k) => {
      const up = (Math.PI * i) / RINGS, round = (2 * Math.PI * k) / SIDES;
      return [middle[0] + half[0] * Math.sin(up) * Math.sin(round), middle[1] + half[1] * Math.cos(up), middle[2] + half[2] * Math.sin(up) * Math.cos(round)];
    };
    const faces = [];
    for (let i = 0; i < RINGS; i++) for (let k = 0; k < SIDES; k++) faces.push([point(i, k), point(i, k + 1), point(i + 1, k + 1), point(i + 1, k)]);
    return faces.map((points) => outward(points, middle));
  },
};

function ring(lo, hi) {
  const [x, z, rx, rz] = [(lo[0] + hi[0]) / 2, (lo[2] + hi[2]) / 2, (hi[0] - lo[0]) / 2, (hi[2] - lo[2]) / 2];
  return Array.from({ length: SIDES }, (_, k) => [x + rx * Math.sin((2 * Math.PI * k) / SIDES), z + rz * Math.cos((2 * Math.PI * k) / SIDES)]);
}

function prism(outline, lo, hi, taper) {
  const [x, z] = [(lo[0] + hi[0]) / 2, (lo[2] + hi[2]) / 2];
  const middle = [x, (lo[1] + hi[1]) / 2, z];
  const low = outline.map((each) => [each[0], lo[1], each[1]]);
  const high = outline.map((each) => [x + (each[0] - x) * taper, hi[1], z + (each[1] - z) * taper]);
  const sides = outline.map((_, i) => { const next = (i + 1) % outline.length; return [low[i], low[next], high[next], high[i]]; });
  return [...sides, high].map((points) => outward(points, middle));
}

function outward(points, middle) {
  const normal = normalOf(points);
  const out = dot(normal, minus(points[0], middle)) < 0;
  return { points, normal: out ? normal.map((each) => -each) : normal };
}

function normalOf(points) {
  const a = minus(points[2], points[0]), b = minus(points.at(-1), points[1]);
  const found = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = Math.hypot(...found) || 1;
  return found.map((each) => each / length);
}

const turned = ([x, y, z], [sine, cosine]) => [x * cosine + z * sine, y, z * cosine - x * sine];
const lit = (colour, normal) => css(colour, 0.68 + 0.32 * Math.max(0, dot(normal, LIGHT)));

export class Eyes {
  constructor(canvas) {
    this.canvas = canvas;
    this.models = new Map();
  }

  // Takes what is known of the board and how things look, and draws it.
  show(board, legend) {
    this.board = board;
    this.legend = legend;
    const { at, heading } = board.players.follower;
    const angle = (DEGREES[heading] * Math.PI) / 180;
    this.way = [Math.sin(angle), Math.cos(angle)];
    const [east, north] = place(at, board.width);
    this.eye = [east, this.level(at) + legend.view.eye, north];
    this.draw();
  }

  level(at) {
    return this.legend.terrain[DIGITS.indexOf(this.board.terrain[at])]?.level ?? 0;
  }

  draw() {
    const { width, height } = this.canvas;
    this.pen = this.canvas.getContext("2d");
    this.pen.fillStyle = css(this.legend.view.sky);
    this.pen.fillRect(0, 0, width, height);
    this.pen.lineJoin = "round";
    const { board } = this;
    const ahead = [];
    for (let at = 0; at < board.terrain.length; at++) {
      if (board.terrain[at] === ".") continue;
      const [east, north] = place(at, board.width);
      const x = east - this.eye[0], z = north - this.eye[2];
      if (x * this.way[0] + z * this.way[1] > -2) ahead.push({ at, east, north, far: x * x + z * z });
    }
    const cards = new Map(board.cards.map((card) => [card.at, card]));
    for (const hex of ahead.sort((a, b) => b.far - a.far)) {
      this.ground(hex);
      this.standing(hex);
      if (cards.has(hex.at)) this.card(hex, cards.get(hex.at));
      const { leader } = board.players;
      if (leader?.at === hex.at) this.model("player", this.legend.view.leader, PLAYER_HEIGHT, leader.heading, hex);
    }
  }

  ground({ at, east, north }) {
    const { colour, level } = this.legend.terrain[DIGITS.indexOf(this.board.terrain[at])];
    const row = Math.floor(at / this.board.width), column = at % this.board.width - (row - (row & 1)) / 2;
    const soil = level > 0.1 ? colour : this.legend.view.soil;
    for (let i = 0; i < 6; i++) {
      const low = this.beside(at, i);
      if (low >= level) continue;
      const [a, b] = [CORNERS[i], CORNERS[(i + 1) % 6]];
      const points = [[east + a[0], low, north + a[1]], [east + a[0], level, north + a[1]], [east + b[0], level, north + b[1]], [east + b[0], low, north + b[1]]];
      this.face(outward(points, [east, low, north]), css(soil, 0.8));
    }
    const top = CORNERS.map(([x, z]) => [east + x, level, north + z]);
    this.face({ points: top, normal: [0, 1, 0] }, css(colour, TINTS[(((column - row) % 3) + 3) % 3]), "rgb(0 0 0 / .16)");
  }

  // The level of a neighbour; beyond the map it is the bottom, and what is not known is as high as here.
  beside(at, heading) {
    const { width, terrain } = this.board;
    const y = Math.floor(at / width), x = at % width, odd = y & 1;
    const [dx, dy] = [[odd, 1], [1, 0], [odd, -1], [odd - 1, -1], [-1, 0], [odd - 1, 1]][heading];
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= this.board.height) return -0.5;
    const to = (y + dy) * width + x + dx;
    return terrain[to] === "." ? this.level(at) : this.level(to);
  }

  standing(hex) {
    const mark = this.board.props[hex.at];
    if (mark === ".") return;
    const { model, colour, height } = this.legend.props[DIGITS.indexOf(mark)];
    this.model(model, colour, height, DIGITS.indexOf(this.board.rotations[hex.at]), hex);
  }

  model(name, colour, height, heading, { at, east, north }) {
    const key = `${name} ${colour} ${height} ${heading}`;
    if (!this.models.has(key)) this.models.set(key, this.built(name, colour, height, heading));
    const level = this.level(at);
    const faces = [];
    for (const { points, normal, fill } of this.models.get(key)) {
      const there = points.map(([x, y, z]) => [x + east, y + level, z + north]);
      const back = minus(there[0], this.eye);
      if (dot(normal, back) < 0) faces.push({ points: there, normal, fill, far: there.reduce((sum, each) => sum + Math.hypot(...minus(each, this.eye)), 0) / there.length });
    }
    for (const each of faces.sort((a, b) => b.far - a.far)) this.face(each, each.fill);
  }

  built(name, colour, height, heading) {
    const angle = (DEGREES[heading] * Math.PI) / 180, turn = [Math.sin(angle), Math.cos(angle)];
    return this.legend.models[name].flatMap((part) => {
      const [lo, hi] = [part.lo, part.hi].map(([x, y, z]) => [x, y * height, z]);
      const own = (part.colour ?? colour).map((each) => each * (part.shade ?? 1));
      return SOLIDS[part.kind](lo, hi, part.taper ?? 1).map(({ points, normal }) => {
        const out = turned(normal, turn);
        return { points: points.map((each) => turned(each, turn)), normal: out, fill: part.glow ? css(own) : lit(own, out) };
      });
    });
  }

  // A card, lifted towards whoever looks at it.
  card({ at, east, north }, { number, colour, shape, selected }) {
    const { view, symbols } = this.legend, level = this.level(at) + CARD.top;
    const [sine, cosine] = [Math.sin(CARD.tilt), Math.cos(CARD.tilt)];
    const put = ([x, z]) => {
      const along = z + CARD.half, deep = along * cosine - CARD.half, up = along * sine;
      const [ex, nz] = [x * this.way[1] + deep * this.way[0], deep * this.way[1] - x * this.way[0]];
      return [ex + east, up + level, nz + north];
    };
    const square = (half) => [[-half, -half], [-half, half], [half, half], [half, -half]].map(put);
    const flat = (points, fill, edge) => this.face({ points, normal: null }, fill, edge);
    if (selected) flat(square(CARD.edge), css(view.selected));
    flat(square(CARD.half), css(colour ? view.card : view.cover), "rgb(0 0 0 / .3)");
    for (const z of colour ? ROWS[number] : []) {
      for (const points of symbolShape(shape)) flat(points.map(([x, y]) => put([SIZES[number] * x, z - SIZES[number] * y])), css(symbols[colour]));
    }
  }

  face({ points, normal }, fill, edge) {
    if (normal && dot(normal, minus(points[0], this.eye)) >= 0) return;
    const seen = this.clipped(points.map((each) => this.seen(each)));
    if (seen.length < 3) return;
    const { width, height } = this.canvas, scale = (FOCUS * height) / 2;
    this.pen.beginPath();
    for (const [x, y, z] of seen) this.pen.lineTo(width / 2 + (scale * x) / z, height / 2 - (scale * y) / z);
    this.pen.closePath();
    this.pen.fillStyle = this.pen.strokeStyle = fill;
    this.pen.fill();
    if (edge) this.pen.strokeStyle = edge;
    this.pen.stroke();
  }

  // Right, up and ahead of the eye.
  seen(point) {
    const [x, y, z] = minus(point, this.eye), [sine, cosine] = this.way;
    const ahead = x * sine + z * cosine;
    return [x * cosine - z * sine, ahead * Math.sin(PITCH) + y * Math.cos(PITCH), ahead * Math.cos(PITCH) - y * Math.sin(PITCH)];
  }

  clipped(points) {
    const kept = [];
    points.forEach((point, i) => {
      const before = points.at(i - 1);
      if ((point[2] >= NEAR) !== (before[2] >= NEAR)) {
        const share = (NEAR - before[2]) / (point[2] - before[2]);
        kept.push(before.map((each, k) => each + share * (point[k] - each)));
      }
      if (point[2] >= NEAR) kept.push(point);
    });
    return kept;
  }
}
