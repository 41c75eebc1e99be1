// Filters the tables: words in a row, its track, its evidence, and whether papers' rows are shown.
const [words, track, evidence, papers] = document.querySelectorAll("#filters input[type=search], #filters select, #filters input[type=checkbox]");

function filter() {
  const wanted = words.value.toLowerCase();
  for (const section of document.querySelectorAll("section[data-track]")) {
    const rows = [...section.querySelectorAll("tr")].slice(1);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !text.includes(wanted) || !(evidence.value === "" || [...row.cells].some((cell) => cell.textContent === evidence.value));
    }
    section.hidden = (track.value !== "" && section.dataset.track !== track.value) || rows.every((row) => row.hidden);
  }
  for (const group of document.querySelectorAll("section.group")) group.hidden = [...group.querySelectorAll("section[data-track]")].every((each) => each.hidden);
  for (const section of document.querySelectorAll("section.papers")) section.hidden = !papers.checked;
}

for (const each of [words, track, evidence, papers]) each.addEventListener("input", filter);
