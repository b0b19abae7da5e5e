// A question before something is given up: what will happen, and two ways on.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";

/** True when the student said so. `text` tells what follows from it, `action` is what the button does. */
export function ask({ title, text, action, danger = false }) {
  return new Promise((resolve) => {
    const answer = (said) => {
      node.close();
      resolve(said);
    };
    const node = el("dialog", {
      class: "dialog ask-dialog", attrs: { "aria-labelledby": "ask-title", "aria-describedby": "ask-text" },
    },
    el("h2", { text: title, attrs: { id: "ask-title" } }),
    el("p", { text, attrs: { id: "ask-text" } }),
    el("div", { class: "dialog-actions" },
      button(t("action.keep"), () => answer(false), { attrs: { autofocus: true } }),
      button(action, () => answer(true), { class: danger ? "danger" : "primary", data: { action: "yes" } })));
    node.addEventListener("cancel", () => resolve(false));
    node.addEventListener("close", () => node.remove());
    document.body.append(node);
    node.showModal();
  });
}
