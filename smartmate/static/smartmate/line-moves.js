// Items as lines: the line of the cursor goes up or down by a button or by Alt and an arrow.

import { onEachScreen } from "./shell/each-screen.js";

function moveLine(field, step) {
  const lines = field.value.split("\n");
  const before = field.value.slice(0, field.selectionStart).split("\n");
  const from = before.length - 1;
  const to = from + step;
  if (to < 0 || to >= lines.length) return;
  [lines[from], lines[to]] = [lines[to], lines[from]];
  field.value = lines.join("\n");
  const cursor = lines.slice(0, to).reduce((length, line) => length + line.length + 1, 0) + before[from].length;
  field.focus();
  field.setSelectionRange(cursor, cursor);
}

onEachScreen((root) => {
  const moves = root.querySelector("#line-moves");
  if (!moves) return;
  const field = root.querySelector("textarea[name=items]");
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    moveLine(field, step);
  });
  for (const button of moves.querySelectorAll("[data-line]")) button.addEventListener("click", () => moveLine(field, Number(button.dataset.line)));
  moves.hidden = false;
});
