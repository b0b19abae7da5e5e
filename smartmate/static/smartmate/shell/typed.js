// What was typed into a form and not yet sent: kept for Back, over a session that has ended, over a change of language.

import { tell, words } from "./telling.js";

const UNKEPT = new Set(["password", "hidden", "file", "submit", "button", "reset", "image"]);
const nameOfStore = () => `smartmate:${document.body.dataset.account}:typed`;

/** Each field with its name: the form, its name, and which of several of that name. */
function* fieldsBelow(root) {
  for (const [number, form] of [...root.querySelectorAll("form")].entries()) {
    const seen = new Map();
    for (const field of form.elements) {
      if (!field.name || !("value" in field) || UNKEPT.has(field.type)) continue;
      seen.set(field.name, (seen.get(field.name) ?? -1) + 1);
      yield [`${number}/${field.name}/${seen.get(field.name)}`, field];
    }
  }
}

const ticks = (field) => field.type === "checkbox" || field.type === "radio";

function isChanged(field) {
  if (ticks(field)) return field.checked !== field.defaultChecked;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.value !== field.defaultValue;
}

/** The fields that differ from the page as it came. */
export function typedBelow(root) {
  return Object.fromEntries([...fieldsBelow(root)].filter(([, field]) => isChanged(field)).map(([name, field]) => [name, ticks(field) ? field.checked : field.value]));
}

export function putTyped(root, typed = {}) {
  for (const [name, field] of fieldsBelow(root)) {
    if (!(name in typed)) continue;
    if (ticks(field)) field.checked = typed[name];
    else field.value = typed[name];
  }
}

/** Kept in this tab until the same account opens the same address. */
export function keepTyped(address, root) {
  const typed = typedBelow(root);
  if (!Object.keys(typed).length) return;
  try {
    sessionStorage.setItem(nameOfStore(), JSON.stringify({ address, typed }));
  } catch {
    // Storage is off or full: the convenience is lost, nothing else.
  }
}

export function restoreTyped(address, root) {
  let found = null;
  try {
    found = JSON.parse(sessionStorage.getItem(nameOfStore()));
  } catch {
    return;
  }
  if (found?.address !== address) return;
  sessionStorage.removeItem(nameOfStore());
  putTyped(root, found.typed);
  tell(words("typed"));
}
