// The address of week and assistant, also while another screen is shown: then it is the one to come back to.

import { live } from "./dom.js";

let own = new URL(location.href);

export function address() {
  return new URL(own);
}

/** The document has come to an address of theirs; returns the one before. */
export function comeTo(url) {
  const before = own;
  own = new URL(url);
  return before;
}

function write(way, url) {
  own = url;
  if (!live.isConnected) return;
  history[way](null, "", url);
  for (const next of document.querySelectorAll("#language [name=next]")) next.value = url.pathname + url.search;
}

/** Another entry of the history. */
export function pushPath(path) {
  const url = address();
  if (url.pathname === path) return;
  url.pathname = path;
  write("pushState", url);
}

/** The same entry, named better. */
export function replaceAddress(url) {
  write("replaceState", url);
}

/** The week that the address names; NaN for none. */
export function weekAsked() {
  return Number(own.pathname.match(/^\/week\/(\d+)/)?.[1]);
}

/** The assistant has no week in its address. */
export function goToWeek(week) {
  if (!own.pathname.startsWith("/chat")) pushPath(`/week/${week}`);
}
