// Says what happened to a change of screen: aloud for those who do not see it, shown when it failed.

const byId = (id) => document.getElementById(id);
const SHOWN_MS = 12_000;
const FOR_LATER = "smartmate:told";

/** A sentence of the page's own, in its language. */
export function words(name) {
  return byId("toasts").dataset[name];
}

/** Read aloud; the same words again are read again. */
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  byId("announced").replaceChildren(line);
}

/** Shown above the screen until it is closed or has been there for a while. */
export function tell(text, tone = "info") {
  const node = document.createElement("div");
  node.className = `toast ${tone}`;
  const said = Object.assign(document.createElement("span"), { className: "toast-words", textContent: text });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "plain close", textContent: "×" });
  close.setAttribute("aria-label", words("close"));
  close.addEventListener("click", () => node.remove());
  node.append(said, close);
  setTimeout(() => node.remove(), SHOWN_MS);
  byId("toasts").append(node);
  return node;
}

/** What week and assistant offered is over once something else has been done. */
export function dropAsking() {
  for (const old of document.querySelectorAll(".toast.asking")) old.remove();
}

/** What a page says that was fetched and is now loaded as a whole: its messages are told once only. */
export function tellLater(page) {
  const said = [...page.querySelectorAll(".told .note > span")].map((node) => node.textContent.trim());
  if (said.length) sessionStorage.setItem(FOR_LATER, JSON.stringify(said));
}

export function tellKept() {
  const said = JSON.parse(sessionStorage.getItem(FOR_LATER) || "[]");
  sessionStorage.removeItem(FOR_LATER);
  for (const text of said) tell(text, "success");
}
