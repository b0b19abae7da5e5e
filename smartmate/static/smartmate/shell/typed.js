// What was typed into a form and not yet saved: kept for Back, over a reload, a session that has ended, a change of language.

import { tell, words } from "./telling.js";

const UNKEPT = new Set(["password", "hidden", "file", "submit", "button", "reset", "image"]);
/** What only the safe of a browser may keep, whatever the type of its field: a password that is shown, a code that is good once. */
const SECRET = /^(one-time-code|current-password|new-password|cc-.+)$/;
/** Whether the account of this page is being left, which then keeps nothing. */
let ended = false;
const TYPED = "typed";
const nameOf = (what) => `smartmate:${document.body.dataset.account}:${what}`;

/** What this tab keeps under a name for the account of the page. */
export function keptOf(what) {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(what)));
  } catch {
    return null;
  }
}

export function keepOf(what, value) {
  try {
    if (value && !ended) sessionStorage.setItem(nameOf(what), JSON.stringify(value));
    else sessionStorage.removeItem(nameOf(what));
  } catch {
    // Storage is off or full: the convenience is lost, nothing else.
  }
}

/** Each field with its name: the action of its form, its own name, which of several of both. Messages come with forms and go. */
function* fieldsBelow(root) {
  const seen = new Map();
  const numbered = (name) => {
    seen.set(name, (seen.get(name) ?? -1) + 1);
    return `${name}/${seen.get(name)}`;
  };
  for (const form of root.querySelectorAll("form")) {
    const named = numbered(form.getAttribute("action") || "");
    for (const field of form.elements) {
      if (!field.name || !("value" in field) || isUnkept(field)) continue;
      yield [numbered(`${named}/${field.name}`), field];
    }
  }
}

const isUnkept = (field) => UNKEPT.has(field.type) || "choice" in field.dataset || field.autocomplete?.split(" ").some((word) => SECRET.test(word));

const ticks = (field) => field.type === "checkbox" || field.type === "radio";

function isChanged(field) {
  if ("typed" in field.dataset) return true;
  if (ticks(field)) return field.checked !== field.defaultChecked;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.value !== field.defaultValue;
}

/** The fields that differ from the page as it is stored. */
export function typedBelow(root) {
  return Object.fromEntries([...fieldsBelow(root)].filter(([, field]) => isChanged(field)).map(([name, field]) => [name, ticks(field) ? field.checked : field.value]));
}

/** Answers whether there was a field for anything of it. */
export function putTyped(root, typed = {}) {
  const found = [...fieldsBelow(root)].filter(([name]) => name in typed);
  for (const [name, field] of found) {
    if (ticks(field)) field.checked = typed[name];
    else field.value = typed[name];
  }
  return found.length > 0;
}

/** A form that comes back unsaved brings what was sent as its own values. */
export function markTyped(root, typed) {
  for (const [name, field] of fieldsBelow(root)) {
    if (name in typed) field.dataset.typed = "";
  }
}

/** Kept in this tab until the same account opens the same address. */
export function keepTyped(address, root) {
  const typed = typedBelow(root);
  if (Object.keys(typed).length) keepOf(TYPED, { address, typed });
}

export function restoreTyped(address, root) {
  const found = keptOf(TYPED);
  if (found?.address !== address) return;
  forgetTyped();
  if (putTyped(root, found.typed)) tell(words("typed"));
}

/** Neither what was typed nor what week and assistant kept stays in this tab, whose page is being left. */
export function forgetAccount() {
  ended = true;
  for (const name of Object.keys(sessionStorage)) if (name.startsWith("smartmate:")) sessionStorage.removeItem(name);
}

export function forgetTyped() {
  keepOf(TYPED, null);
}
