// Back closes what lies over the screen first, a sheet or a question: an entry of the history stands for it while it is open.

/** What is open, the last one opened last. */
const open = [];
/** The entry that stands for sheets, where the document is at it: closed otherwise than by Back it stays, and Back passes over it. */
let here = 0;
let entries = Date.now();

const isSheet = (node) => node instanceof HTMLDialogElement;

function watch(node) {
  const known = open.indexOf(node);
  if (known >= 0) open.splice(known, 1);
  if (!node.open || !node.isConnected) return;
  open.push(node);
  standFor();
}

/** The entry below knows the one above it: so a step back from it is told from any other. */
function standFor() {
  if (here && history.state?.sheet === here) return;
  entries += 1;
  const own = history.state || {};
  history.replaceState({ ...own, below: entries }, "");
  history.pushState({ ...own, sheet: entries }, "");
  here = entries;
}

/** As Escape does it: who asked learns that nothing was chosen. */
function close(node) {
  if (node.dispatchEvent(new Event("cancel", { cancelable: true }))) node.close();
}

function onPopState(event) {
  const [left, below] = [here, event.state?.below];
  here = event.state?.sheet || 0;
  if (!left || below !== left) return undefined;
  event.stopImmediatePropagation();
  const last = open.at(-1);
  if (!last) return history.back();
  close(last);
  if (open.some((node) => node.open)) standFor();
  return undefined;
}

/** Before the visits, which would leave the screen. */
export function startSheets() {
  here = history.state?.sheet || 0;
  new MutationObserver((changes) => changes.filter(({ target }) => isSheet(target)).forEach(({ target }) => watch(target)))
    .observe(document.documentElement, { subtree: true, attributeFilter: ["open"] });
  addEventListener("popstate", onPopState);
}
