"use strict";
(() => {
  const valueOf = (row, column, kind) => {
    const cell = row.cells[column];
    const told = cell.dataset.value;
    const text = told === undefined ? cell.textContent.trim() : told;
    if (kind === "text" && told === undefined) return text;
    return text === "" ? null : Number.parseFloat(text);
  };
  const compare = (a, b) => {
    if (a === null || b === null) return 0;
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  };

  const sort = (button) => {
    const head = button.closest("th");
    const body = button.closest("table").tBodies[0];
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of head.parentElement.cells) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const rows = Array.from(body.rows, (row) => [valueOf(row, head.cellIndex, button.dataset.sort), row]);
    rows.sort(([a], [b]) => (a === null) - (b === null) || direction * compare(a, b)); // rows without a value stay last
    body.append(...rows.map(([, row]) => row));
    fold(body.parentElement);
  };

  // Long tables show their first rows; a row that a filter hides does not count.
  const LONG = 15;
  const fold = (table) => {
    if (!("fold" in table.dataset)) return;
    const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden);
    const isFolded = table.dataset.fold !== "open" && rows.length > LONG;
    rows.forEach((row, index) => row.classList.toggle("folded", isFolded && index >= LONG - 3));
    table.nextElementSibling.hidden = rows.length <= LONG;
    table.nextElementSibling.textContent = isFolded ? `Show all ${rows.length}` : "Show fewer";
  };
  const makeSearch = (table) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    label.className = "filter";
    input.type = "search";
    label.append("Search this table", input);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLocaleLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
      fold(table);
    });
    return label;
  };
  for (const table of document.querySelectorAll("table[data-fold]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "unfold";
    button.addEventListener("click", () => {
      table.dataset.fold = table.dataset.fold === "open" ? "" : "open";
      fold(table);
    });
    table.after(button);
    if (table.id !== "students-table" && table.tBodies[0].rows.length > LONG) table.before(makeSearch(table));
    fold(table);
  }
  for (const button of document.querySelectorAll("button[data-sort]")) button.addEventListener("click", () => sort(button));

  const filter = document.getElementById("filter");
  const state = document.getElementById("state");
  const rows = Array.from(document.querySelectorAll("#students-table tbody tr"));
  const texts = rows.map((row) => row.textContent.toLocaleLowerCase());
  const show = () => {
    const wanted = filter.value.trim().toLocaleLowerCase();
    let count = 0;
    rows.forEach((row, index) => {
      const kinds = row.dataset.kinds.split(" ");
      row.hidden = !texts[index].includes(wanted) || (state.value !== "" && !kinds.includes(state.value));
      count += row.hidden ? 0 : 1;
    });
    document.getElementById("shown").textContent = `${count} of ${rows.length} found`;
    fold(document.getElementById("students-table"));
  };
  if (filter) {
    filter.addEventListener("input", show);
    state.addEventListener("change", show);
    filter.form.addEventListener("submit", (event) => event.preventDefault());
    if (filter.value || state.value) show(); // values that the browser restored from the last visit
  }

  // Closed submissions are not listed, so that the page stays short; without a script all are.
  const students = document.querySelectorAll("details.student");
  for (const part of students) {
    part.hidden = !part.open;
    part.addEventListener("toggle", () => { if (!part.open) part.hidden = true; });
  }
  for (const each of document.querySelectorAll("[data-needs-script]")) each.hidden = false;

  const open = () => {
    const part = document.getElementById(location.hash.slice(1));
    if (part instanceof HTMLDetailsElement) {
      part.hidden = false;
      part.open = true;
      part.scrollIntoView();
      part.querySelector("summary").focus();
    }
  };
  window.addEventListener("hashchange", open);
  document.addEventListener("click", (event) => { // the same link twice changes no hash
    if (event.target.closest("a[href^='#s']")?.hash === location.hash) open();
  });
  open();
  for (const button of document.querySelectorAll("button[data-open]")) {
    button.addEventListener("click", () => {
      for (const part of students) {
        part.open = button.dataset.open === "all";
        part.hidden = !part.open;
      }
    });
  }
})();
