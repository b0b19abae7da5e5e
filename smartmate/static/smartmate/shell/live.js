// Week and assistant stay alive while another screen is shown: taken out of the document, put back as they were.

import { stylesInUse, useStyles } from "./assets.js";

const ADDRESSES = /^\/(week(\/\d+)?|chat)$/;
const SCROLLED = ".grid-scroller, .scroller";

let parked = null;

const shown = () => document.getElementById("planner");

export function isLive(url) {
  return url.origin === location.origin && ADDRESSES.test(url.pathname);
}

export function isLiveShown() {
  return Boolean(shown());
}

export function isLiveParked() {
  return Boolean(parked);
}

/** Takes it out before another screen is put in its place. */
export function parkLive() {
  const node = shown();
  if (!node) return;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  node.dispatchEvent(new CustomEvent("screen:leave"));
  node.querySelector(".told")?.remove();
  parked = {
    node, title: document.title, body: document.body.className, skips: document.querySelector(".skips").cloneNode(true), styles: stylesInUse(),
    scrolled: [...node.querySelectorAll(SCROLLED)].map((one) => [one, one.scrollTop, one.scrollLeft]),
  };
  node.remove();
}

/** Puts it back into the frame that is there. */
export function returnLive() {
  const { title, body, skips, styles } = parked;
  document.title = title;
  document.body.className = body;
  document.querySelector(".skips").replaceWith(skips);
  delete document.documentElement.dataset.keptAt;
  useStyles(styles);
  fillIn(document.getElementById("screen"));
  dispatchEvent(new CustomEvent("screen:returned"));
}

/** A page that was fetched brings a new one: the one that is alive takes its place, and says what that page says. */
export function replaceByLive() {
  if (!parked || !shown()) return;
  const told = shown().querySelector(".told");
  fillIn(shown().parentElement);
  if (told) shown().querySelector(".weeks").before(told);
}

function fillIn(screen) {
  const { node, scrolled } = parked;
  screen.replaceChildren(node);
  for (const [one, top, left] of scrolled) one.scrollTo({ top, left, behavior: "instant" });
  parked = null;
}

/** Tells it that it is shown, at the address of the document; `fresh` when a link led here, not Back or Forward. */
export function enterLive(fresh) {
  shown().dispatchEvent(new CustomEvent("screen:enter", { detail: { fresh } }));
}
