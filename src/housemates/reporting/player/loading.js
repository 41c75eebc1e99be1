// Lists of episodes and single episodes are scripts that call housemates.got, as pages from disk may not fetch.
const lists = {}, waiting = {};

window.housemates = {
  got([key, second, episode]) {
    const name = episode === undefined ? key : `${key}/${second}`;
    const value = episode === undefined ? second : episode;
    if (episode === undefined) lists[key] = value;
    (waiting[name] || []).forEach((then) => then(value));
    delete waiting[name];
  },
};

function load(name, then) {
  if (lists[name]) return then(lists[name]);
  if (waiting[name]) return void waiting[name].push(then);
  waiting[name] = [then];
  const script = document.createElement("script");
  script.src = `data/${name}.js`;
  script.onload = () => script.remove();
  document.head.append(script);
}

// What was read is written once: `parts` of a text name lines that stand before it.
function whole(steps) {
  const lines = [];
  for (const turn of steps || []) {
    if (!turn.parts && turn.text === undefined) continue;
    const read = (turn.parts || [turn.text]).flatMap((part) => {
      if (typeof part !== "string") return lines.slice(part[0], part[0] + part[1]);
      const fresh = part.split("\n");
      lines.push(...fresh);
      return fresh;
    });
    turn.text = read.join("\n");
    delete turn.parts;
  }
}
