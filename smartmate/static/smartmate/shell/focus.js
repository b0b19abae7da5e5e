// Where the eyes and the focus are after a change of screen.

import { announce } from "./telling.js";

const AFTER_MS = 60;
const screen = () => document.getElementById("screen");
const scroller = () => screen().querySelector(".page") || document.scrollingElement;

export function heightOf() {
  return scroller().scrollTop;
}

export function scrollTo(top) {
  scroller().scrollTop = top;
}

function focusOn(node, preventScroll = true) {
  if (!node) return;
  if (node.tabIndex < 0) node.tabIndex = -1;
  node.focus({ preventScroll });
}

const isSeen = (node) => node.checkVisibility();

function heading() {
  return [...screen().querySelectorAll("h1, [role=heading][aria-level='1']")].find(isSeen);
}

/** A screen that was not there before: its name is read, its heading has the focus, its fragment is in view. */
export function arriveAt(url) {
  const named = url.hash ? document.getElementById(decodeURIComponent(url.hash.slice(1))) : null;
  const field = named?.matches("input, select, textarea") ? named : screen().querySelector("[autofocus]");
  focusOn(field || named?.querySelector("h1, h2, h3") || heading());
  named?.scrollIntoView();
  announce(document.title.split(" · ")[0]);
}

/** What leads somewhere or opens something, and sends nothing. */
const WAYS = "a[href], summary";
const hrefOf = (node) => node.getAttribute("href");
const actionOf = (node) => node.closest("form")?.getAttribute("action");

/** What stands for a control after its screen was drawn anew. */
export function markOf(control) {
  const isWay = Boolean(control?.matches?.(WAYS));
  if (!isWay && !control?.closest?.("form")) return null;
  const { name, value, id, textContent } = control;
  return { isWay, href: hrefOf(control), action: actionOf(control), name, value, id, textContent };
}

function controlsAs(mark) {
  if (!mark) return [];
  return [...screen().querySelectorAll(mark.isWay ? WAYS : "form :is(button, input, select, textarea)")].filter((node) =>
    actionOf(node) === mark.action && hrefOf(node) === mark.href && node.name === mark.name && (node.id || "") === mark.id && isSeen(node));
}

/** The same screen again after a form was sent: what refuses has the focus, or what it would do, or else what was pressed. */
export function stayAt(mark, top) {
  scrollTo(top);
  const refusal = [...screen().querySelectorAll("[aria-invalid=true], .problem, .field:has(.error) :is(input, select, textarea):not([type=hidden])")].find(isSeen);
  const same = controlsAs(mark);
  const alike = (...keys) => same.find((node) => keys.every((key) => node[key] === mark[key]));
  // A mark's button says what pressing it would do next: its words stay, its value does not.
  const pressed = alike("value", "textContent") || alike("textContent") || alike("value") || same[0];
  const answer = screen().querySelector("[data-answer]");
  focusOn(refusal || answer || pressed || heading(), !refusal);
  if (!refusal) answer?.scrollIntoView({ block: "nearest" });
}

/** The messages that came with a screen come into its live region when it is there: what it begins with is not read aloud. */
export function holdMessages() {
  const told = screen().querySelector(".told");
  const notes = told ? [...told.children] : [];
  told?.replaceChildren();
  return () => notes.length && setTimeout(() => told.append(...notes), AFTER_MS);
}
