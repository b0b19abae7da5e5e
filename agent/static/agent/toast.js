// Short messages; refusals of the server show their code.

import { ApiError } from "./api.js";
import { button, el } from "./dom.js";
import { placeText, ruleText, t } from "./i18n.js";

const SHOWN_MS = 6000;
const root = document.getElementById("toasts");

export function toast(text, tone = "info", details = []) {
  const node = el("div", { class: `toast ${tone}` },
    el("div", { class: "toast-words" }, el("span", { text }), details.map((line) => el("small", { text: line }))),
    button("×", () => node.remove(), { class: "plain close", attrs: { "aria-label": t("action.close") } }));
  root.append(node);
  setTimeout(() => node.remove(), tone === "error" ? SHOWN_MS * 2 : SHOWN_MS);
  return node;
}

/** Show what went wrong: the code, the server's words, and each broken rule with its place. */
export function toastError(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof ApiError)) {
    console.error(error);
    toast(t("error.page"), "error");
    return;
  }
  const words = error.code ? `${error.code} · ${error.message}` : error.message;
  toast(words, "error", (error.data?.conflicts || []).slice(0, 4).map(conflictText));
}

function conflictText(conflict) {
  const place = conflict.week ? placeText(conflict) : "";
  return [place, ruleText(conflict.rule), conflict.with?.name].filter(Boolean).join(" · ");
}
