// Short messages; refusals of the server show their code, small and last.

import { ApiError } from "./api.js";
import { button, el } from "./dom.js";
import { ruleText, t } from "./i18n.js";
import { dated, whenWords } from "./week/term.js";

const SHOWN_MS = 6000;
const toasts = () => document.getElementById("toasts");

/**
 * `actions` are {label, run}; a message with something to do stays until it is done or closed, or another one comes. What is
 * said again takes the place of what is still there.
 */
export function toast(text, tone = "info", details = [], actions = []) {
  const node = el("div", { class: `toast ${tone}` },
    el("div", { class: "toast-words" }, el("span", { text: dated(text) }), details.map((line) => el("small", { text: dated(line) })),
      actions.length > 0 && el("div", { class: "toast-actions" }, actions.map((action) => button(dated(action.label), () => {
        node.remove();
        action.run();
      })))),
    button("×", () => node.remove(), { class: "plain close", attrs: { "aria-label": t("action.close") } }));
  if (actions.length) {
    dropAsking();
    node.classList.add("asking");
  } else setTimeout(() => node.remove(), tone === "error" ? SHOWN_MS * 2 : SHOWN_MS);
  for (const old of [...toasts().children]) if (old.className === node.className && old.textContent === node.textContent) old.remove();
  toasts().append(node);
  return node;
}

/** What was offered is over once something else has been done. */
export function dropAsking() {
  for (const old of toasts().querySelectorAll(".asking")) old.remove();
}

/** Show what went wrong: the server's words, each broken rule with its item, as `nameOf(id)` knows it, and its place, and the code. */
export function toastError(error, nameOf = () => "") {
  if (error.name === "AbortError") return;
  if (!(error instanceof ApiError)) {
    console.error(error);
    toast(t("error.page"), "error");
    return;
  }
  const conflicts = (error.data?.conflicts || []).slice(0, 4).map((one) => conflictText(one, nameOf(one.task_item_id)));
  const number = error.code ? [t("error.number", { code: error.code })] : [];
  toast(pageText(error) || error.message, "error", [...conflicts, ...number]);
}

/** What is over a limit and what the limit is, or that the newest is shown already; "" where the server's own words say all. */
function pageText(error) {
  const { field = "", limit } = error.data || {};
  if (String(error.code) === "40071") return t("error.stale");
  return String(error.code) === "40006" && field.endsWith("task_class_ids") ? t("error.tasks_max", { count: limit }) : "";
}

function conflictText(conflict, name) {
  const place = conflict.week ? whenWords(conflict) : "";
  return [name, place, ruleText(conflict.rule), conflict.with?.name].filter(Boolean).join(" · ");
}
