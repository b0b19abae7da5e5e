// Switches that belong to this browser: wherever one is shown it is as it was left, for each account.

import { onEachScreen } from "./each-screen.js";

const SWITCHES = "input[data-device]";
const nameOf = (field) => `smartmate:${document.body.dataset.account}:${field.dataset.device}`;

function show(root) {
  for (const field of root.querySelectorAll(SWITCHES)) {
    try {
      field.checked = localStorage.getItem(nameOf(field)) === "on";
    } catch {
      // Storage is off: it lasts as long as the page.
    }
  }
}

export function startDevice() {
  onEachScreen(show);
  addEventListener("screen:returned", () => show(document));
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.(SWITCHES)) return;
    try {
      localStorage.setItem(nameOf(target), target.checked ? "on" : "");
    } catch {
      // See above.
    }
  });
}
