// What a reload or an expired session would lose: unsent words and unsaved moves, kept per account in this tab.

import { user } from "./i18n.js";

const nameOf = (key) => `smartmate:${user}:${key}`;

export function kept(key) {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(key)));
  } catch {
    return null;
  }
}

/** An empty value forgets. A browser that stores nothing loses only the convenience. */
export function keep(key, value) {
  try {
    if (value) sessionStorage.setItem(nameOf(key), JSON.stringify(value));
    else sessionStorage.removeItem(nameOf(key));
  } catch {
    // Storage is off or full.
  }
}
