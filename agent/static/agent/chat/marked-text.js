// The marks of Markdown that models write without being asked, shown as what they mean; never markup of a page.

import { el } from "../dom.js";

/** Lines that are nothing but marks: fences, rules, the line below the head of a table. */
const ONLY_MARKS = /^\s*(?:```.*|\|?(?:\s*:?-{3,}:?\s*\|?)+)\s*$/;
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;
const ROW = /^\s*\|(.+)\|\s*$/;
const BULLET = /^(\s*)[-*+]\s+(?=\S)/;
const INLINE = /\*\*(?=\S)([^*\n]*[^*\s])\*\*|`([^`\n]+)`/g;

/** Nodes and strings of a text, as `append` takes them. */
export function markedText(text) {
  const shown = text.split("\n").filter((line) => !ONLY_MARKS.test(line));
  return shown.flatMap((line, at) => [at ? "\n" : "", ...markedLine(line)]);
}

function markedLine(line) {
  const heading = HEADING.exec(line);
  if (heading) return [el("b", {}, inline(heading[1]))];
  const row = ROW.exec(line);
  return inline(row ? row[1].split("|").map((cell) => cell.trim()).join(" · ") : line.replace(BULLET, "$1• "));
}

function inline(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(from, found.index), found[1] ? el("b", { text: found[1] }) : el("code", { text: found[2] }));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

/** The same as a text alone. */
export function unmarked(text) {
  return markedText(text).map((part) => part.textContent ?? part).join("");
}
