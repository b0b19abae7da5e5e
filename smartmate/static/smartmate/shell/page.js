// A page as the server answers it, and how it is put where another one stood.

/** The document of an answer; null for what is no page. */
export function pageOf(xhr) {
  const type = xhr.getResponseHeader("Content-Type") || "";
  return type.startsWith("text/html") ? new DOMParser().parseFromString(xhr.responseText, "text/html") : null;
}

const facts = (page) => [
  page.body.dataset.account, page.documentElement.lang, page.querySelector("script[data-shell]")?.getAttribute("src"), Boolean(page.getElementById("screen")),
].join();

/** Another account, another language, scripts of another version: such a page is loaded as a whole. */
export function belongsHere(page) {
  return facts(page) === facts(document);
}

/** Whether a page is a form that was sent and comes back to be gone on with: refused, tried, or a row longer. */
export function isUnsaved(page) {
  return "unsaved" in page.body.dataset;
}

/** What a page that refuses says. */
export function wordsOf(page) {
  const words = [page?.querySelector("h1"), page?.querySelector("h1 ~ p.quiet")].map((node) => node?.textContent.trim());
  return words.filter(Boolean).join(" ");
}

const railOf = (page) => page.querySelector("#shell > .rail");

export function hasRail() {
  return Boolean(railOf(document));
}

/** The screen in the frame that is there; where the frames differ, the whole of it. */
export function putPage(page) {
  document.title = page.title;
  document.body.className = page.body.className;
  for (const name of ["theme", "keptAt"]) {
    if (page.documentElement.dataset[name]) document.documentElement.dataset[name] = page.documentElement.dataset[name];
    else delete document.documentElement.dataset[name];
  }
  document.querySelector(".skips").replaceWith(page.querySelector(".skips"));
  if (railOf(page) && hasRail()) {
    document.getElementById("screen").replaceChildren(...page.getElementById("screen").childNodes);
    putDraftCount(page);
  } else document.getElementById("shell").replaceWith(page.getElementById("shell"));
}

/** The count of the draft's changes beside the name of the week, of a screen that has looked at the draft. */
function putDraftCount(page) {
  if (!page.querySelector("#draft-count[data-read]")) return;
  for (const id of ["draft-count", "draft-words"]) document.getElementById(id).replaceWith(page.getElementById(id));
}

const languageForms = () => document.querySelectorAll("#language [name=next]");

/** The address of the screen that is shown, also when Back has already named another one. */
export function addressShown() {
  return languageForms()[0].value;
}

/** The rail names the screen that an address belongs to; a change of language comes back to it. */
export function markRail(url) {
  const here = `/${url.pathname.split("/")[1]}`;
  for (const link of document.querySelectorAll(".rail a:not(.brand)")) {
    if (link.getAttribute("href") === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const next of languageForms()) next.value = url.pathname + url.search;
}
