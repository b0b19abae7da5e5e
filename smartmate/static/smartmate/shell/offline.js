// Says when there is no connection and how old a kept page is; has today and the last week kept.

import { momentWords, onEachScreen } from "./each-screen.js";

const AGAIN_MS = 20_000;
const root = document.documentElement;
const keptAt = () => Number(root.dataset.keptAt) || 0;

function tell() {
  const note = document.getElementById("no-network");
  note.hidden = navigator.onLine && !keptAt();
  note.textContent = keptAt() ? note.dataset.kept.replace("{when}", momentWords(new Date(keptAt()))) : note.dataset.gone;
}

/** A kept page gives way to the real one when the server answers again: a network may be there without it. */
async function tryAgain() {
  if (!keptAt()) return;
  const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(AGAIN_MS) }).catch(() => null);
  if (answer?.ok && keptAt()) location.reload();
}

/** All that the screen is made of has come. */
function shown() {
  return new Promise((resolve) => {
    const look = () => "ready" in root.dataset && (seen.disconnect(), resolve());
    const seen = new MutationObserver(look);
    seen.observe(root, { attributeFilter: ["data-ready"] });
    look();
  });
}

async function begin() {
  const first = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register("/service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  if (!first) return;
  await shown(); // what is still on its way is not in the list yet
  const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name)).filter((url) => url.origin === location.origin);
  active.postMessage({ page: location.pathname, paths: [...new Set(paths.map((url) => url.pathname + url.search))] });
}

export function startOffline() {
  onEachScreen(tell);
  addEventListener("screen:returned", tell);
  addEventListener("offline", tell);
  addEventListener("online", () => (keptAt() ? tryAgain() : tell()));
  addEventListener("focus", tryAgain);
  setInterval(tryAgain, AGAIN_MS);
  if (!("serviceWorker" in navigator) || keptAt() || !document.body.dataset.account) return;
  const idle = self.requestIdleCallback || setTimeout;
  const later = () => idle(() => begin().catch(() => {}));
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
