// Switches that belong to the account: saved when one is turned, and wherever one is shown it is as it was left.

import { onEachScreen } from "./each-screen.js";
import { tell, words } from "./telling.js";

const SWITCHES = "input[data-choice]";
const known = new Map();
const saving = new Map();

/** What the server wrote into a page is newer than what was known, unless a turn is on its way to it. */
function learn(root) {
  for (const field of root.querySelectorAll(SWITCHES)) {
    if (!saving.has(field.dataset.choice)) known.set(field.dataset.choice, field.defaultChecked);
  }
  show();
}

function show() {
  for (const field of document.querySelectorAll(SWITCHES)) field.checked = known.get(field.dataset.choice) ?? field.checked;
  const { dataset } = document.documentElement;
  for (const [name, value] of known) {
    const look = name.replace(/_(.)/g, (_match, letter) => letter.toUpperCase());
    if (look in dataset) dataset[look] = value ? "on" : "off";
  }
}

/** One request after the other for each switch: the last turn is the one that stays. */
function save(name, value) {
  const before = saving.get(name) || Promise.resolve();
  const done = before.then(async () => {
    const token = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="))?.slice("csrftoken=".length);
    const answer = await fetch("/api/v1/account/settings", {
      method: "PATCH", headers: { "Content-Type": "application/json", "X-CSRFToken": token || "" }, body: JSON.stringify({ [name]: value }),
    }).catch(() => null);
    await answer?.text().catch(() => ""); // an answer that nobody reads to its end holds its connection
    if (answer?.ok) return;
    if (known.get(name) === value) known.set(name, !value);
    show();
    tell(words(answer ? "failed" : "unsent"), "error");
  });
  saving.set(name, done);
  done.then(() => { if (saving.get(name) === done) saving.delete(name); });
}

export function startChoices() {
  onEachScreen(learn);
  addEventListener("screen:returned", show);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.(SWITCHES)) return;
    known.set(target.dataset.choice, target.checked);
    show();
    save(target.dataset.choice, target.checked);
  });
}
