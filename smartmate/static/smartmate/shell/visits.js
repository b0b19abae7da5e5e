// From one screen to another: htmx asks for what a link or a form leads to, this puts it in place and keeps the history.

import { assetsOf, fetchAssets, runScripts, useStyles } from "./assets.js";
import { tellShown } from "./each-screen.js";
import { arriveAt, heightOf, holdMessages, markOf, scrollTo, stayAt } from "./focus.js";
import { enterLive, isLive, isLiveParked, isLiveShown, parkLive, replaceByLive, returnLive } from "./live.js";
import { addressShown, belongsHere, hasRail, isUnsaved, markRail, pageOf, putPage, wordsOf } from "./page.js";
import { keyOf, noteAnswer } from "./sent-once.js";
import { announce, dropAsking, tell, tellKept, tellLater, words } from "./telling.js";
import { forgetTyped, keepTyped, markTyped, putTyped, restoreTyped, typedBelow } from "./typed.js";

/* global htmx -- it stands in the same script, before these modules */

const root = document.documentElement;
const screen = () => document.getElementById("screen");
const pathOf = (url) => url.pathname + url.search;
const run = performance.timeOrigin;
/** A screen that tells of now is asked for again when it is looked at and is older than this, after what a press may have sent. */
const RENEW_MS = 60_000;
const PRESS_MS = 400;
/** One that is being looked at is so after this, and when a new day begins. */
const TICK_MS = 60_000;
/** A line that swallows what is sent looks like one that is slow; a form may have to plan a term, a file take as long as it needs. */
const ANSWER_MS = 30_000;
const FORM_MS = 60_000;
/** So long nothing else is done than what a form asks for. */
const HELD_MS = 10_000;
const RENEW_SEEN_MS = 5 * 60_000;

/** The visit under way: {xhr, url, control, form, back, quiet, begun}. One at a time. */
let visit = null;
/** Whether the next request renews what is shown. */
let renews = false;
let arrivedAt = Date.now();
/** What the next request leaves, {entry, address}, when it is one of the browser's Back or Forward. */
let goesBack = null;
/** The entry of the history that is shown, with what is kept of it when it is left; null for week and assistant. */
let entry = null;
const left = new Map();
/** What was told of the last visit that failed: over with the next that comes to its end. */
let failed = null;
let entries = 0;
let shown = "";

const isHeld = (one) => Boolean(one?.form) && Date.now() - one.begun < HELD_MS;
const isAnswered = (one) => Boolean(one?.form) && one.xhr.readyState === XMLHttpRequest.DONE;

// --- asking ----------------------------------------------------------------------------------------------------------

/** A part of a screen that asks for itself, and is no visit. */
const isPart = (elt) => elt.hasAttribute("hx-post");

/** A form is sent once, a link followed once, whatever is being renewed; what is alive is shown without asking. */
function onConfirm(event) {
  const { verb, path, elt } = event.detail;
  if (isPart(elt)) return;
  // htmx would send a form that is pressed again once the answer to the first has come.
  if (isHeld(visit) || visit?.form === elt || (visit && !visit.quiet && visit.control === elt)) event.preventDefault();
  else if (verb === "get" && elt.matches("a") && showLive(new URL(path, location.href), { push: true })) event.preventDefault();
}

const tokenNow = () => document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="))?.slice("csrftoken=".length);

/** The button that was pressed is sent as a browser sends it, with the token that holds now. */
function onConfigure({ detail }) {
  const { elt, parameters, formData, triggeringEvent, headers, path } = detail;
  const { submitter } = triggeringEvent || {};
  if (submitter?.name) parameters[submitter.name] = submitter.value;
  const token = tokenNow();
  if (token && elt.matches("form[method=post], [hx-post]")) parameters.csrfmiddlewaretoken = token;
  const key = detail.verb === "get" || isPart(elt) ? "" : keyOf(elt, path, formData);
  if (key) headers["Idempotency-Key"] = key;
  const sendsFile = [...formData.values()].some((value) => value instanceof File && value.size);
  detail.timeout = sendsFile ? 0 : detail.verb === "get" ? ANSWER_MS : FORM_MS;
}

function onRequest({ detail: { xhr, elt, requestConfig, pathInfo } }) {
  if (isPart(elt)) return;
  stop();
  const url = new URL(pathInfo.finalRequestPath, location.href);
  url.hash = pathInfo.anchor || ""; // which is asked for without it
  const form = requestConfig.verb === "get" ? null : elt;
  const control = requestConfig.triggeringEvent?.submitter || elt;
  visit = { xhr, url, form, control: form ? control : renews ? document.activeElement : elt, back: goesBack, quiet: renews, begun: Date.now() };
  goesBack = null;
  renews = false;
  delete root.dataset.ready;
  root.dataset.going = "true";
}

function end() {
  visit = null;
  arrivedAt = Date.now();
  delete root.dataset.going;
  root.dataset.ready = "true";
}

/** What is asked for elsewhere is wanted no more. */
function stop() {
  visit?.xhr.abort();
  visit = null;
}

/** Asks for an address as a link would. */
function ask(url, { back }) {
  stop();
  goesBack = back;
  const asked = htmx.ajax("GET", pathOf(url) + url.hash, { source: document.body, target: document.body });
  asked.catch(() => {}); // told by the event that comes with it
}

/** Another day may have begun, or something was done elsewhere; what is being typed stays. */
function renew({ old = Date.now() - arrivedAt > RENEW_MS } = {}) {
  if (!old || !document.querySelector("[data-renews]") || document.hidden || visit || Object.keys(typedBelow(screen())).length) return;
  renews = true;
  ask(new URL(location.href), { back: null });
}

/** While it is looked at: not under a menu that is open. */
function tick() {
  const newDay = new Date().toDateString() !== new Date(arrivedAt).toDateString();
  if (!screen().querySelector("details[open]")) renew({ old: newDay || Date.now() - arrivedAt > RENEW_SEEN_MS });
}

// --- what goes wrong -------------------------------------------------------------------------------------------------

/** The screen stays with all that is in it, and after Back or Forward its address too. */
function fail({ back, quiet }, text) {
  end();
  if (quiet) return;
  if (back) {
    entry = back.entry;
    history.pushState(entry && { entry }, "", back.address);
  }
  failed = tell(text, "error");
}

function onNoAnswer({ detail: { xhr } }) {
  const gone = visit;
  if (gone?.xhr !== xhr) return;
  const keptCopy = !gone.form && isLive(gone.url) && navigator.serviceWorker?.controller;
  if (keptCopy) location[gone.back ? "replace" : "assign"](gone.url);
  else if (gone.form) fail(gone, words(navigator.onLine ? "unanswered" : "unsent"));
  else fail(gone, words("unreached"));
}

/** Loaded as a whole; a session that has ended comes back to this screen, with what was typed into it. A door is no session. */
function leaveFor(url, page, form) {
  if (url.pathname !== "/login" || !document.body.dataset.account) {
    if (page) tellLater(page);
    location.assign(url);
    return;
  }
  const back = form ? shown : pathOf(visit.url);
  if (form) keepTyped(back, screen());
  location.assign(`/login?next=${encodeURIComponent(back)}&ended=1`);
}

/** The cookies were deleted under the page: loaded as a whole it has new ones, and what was typed into it. */
function loadAgain() {
  keepTyped(shown, screen());
  location.reload();
}

// --- arriving --------------------------------------------------------------------------------------------------------

function onAnswer(event) {
  const { xhr, target, requestConfig } = event.detail;
  if (isPart(requestConfig.elt)) {
    // Not what came from elsewhere, a log-in; and what is said already is not said again.
    const own = xhr.status === 200 && new URL(xhr.responseURL).pathname === requestConfig.path;
    event.detail.shouldSwap = own && xhr.responseText.trim() !== target.innerHTML.trim();
    return;
  }
  event.preventDefault();
  if (visit?.xhr !== xhr) return;
  if (visit.form) noteAnswer(xhr.status);
  arrive(visit);
}

async function arrive(one) {
  const { xhr, form } = one;
  const url = new URL(xhr.responseURL || one.url);
  url.hash ||= one.url.hash;
  const page = pageOf(xhr);
  if (xhr.status === 403 && form && !tokenNow()) return loadAgain();
  if (xhr.status >= 400 && xhr.status !== 422) return fail(one, wordsOf(page) || words("failed"));
  if (!page || !belongsHere(page)) return leaveFor(url, page, form);
  const assets = assetsOf(page);
  try {
    await fetchAssets(assets);
  } catch {
    return leaveFor(url, page, form);
  }
  if (visit !== one) return undefined;
  show(one, url, page, assets);
  try {
    await runScripts(assets);
  } catch {
    return leaveFor(url, page);
  }
  if (visit === one) settle(one);
  return undefined;
}

function show(one, url, page, assets) {
  const again = one.quiet || (!isLiveShown() && pathOf(url) === shown);
  const held = screen().contains(document.activeElement);
  const told = one.quiet ? [...screen().querySelectorAll(".told > *")] : []; // an undo is offered until the next change
  const unsaved = one.form && isUnsaved(page) ? typedBelow(screen()) : {};
  Object.assign(one, { again: again && !one.back, held, mark: markOf(one.control), top: again ? heightOf() : 0, url });
  remember(one);
  parkLive();
  useStyles(assets.styles);
  putPage(page);
  markTyped(screen(), unsaved);
  one.url = addressOf(url);
  screen().querySelector(".told")?.append(...told);
  writeHistory(one);
  replaceByLive();
  markRail(one.url);
  htmx.process(document.getElementById("shell"));
  if (one.form && one.xhr.status < 400) dropAsking();
  failed?.remove();
  one.tellMessages = one.quiet ? () => {} : holdMessages();
}

/** A form that has grown says where it is found as it stands. */
function addressOf(url) {
  const said = screen().querySelector("form[data-address]")?.dataset.address;
  return said ? new URL(said, url) : url;
}

/** The height of an entry that is left, and what was typed there and not sent. */
function remember({ form, back } = {}) {
  if (entry && !back) left.set(entry, { top: heightOf(), typed: form ? {} : typedBelow(screen()) });
}

function writeHistory({ url, again, back }) {
  const live = isLiveShown();
  if (!back) {
    if (!again || !entry) entry = `${run}-${(entries += 1)}`;
    history[again ? "replaceState" : "pushState"](live ? null : { entry }, "", url);
  }
  if (live) entry = null;
  shown = live ? "" : pathOf(url);
}

function settle({ url, form, again, back, quiet, held, mark, top, tellMessages }) {
  const live = isLiveShown();
  const before = back && left.get(entry);
  if (live) enterLive(!back);
  else {
    tellShown(screen());
    restoreTyped(shown, screen());
    putTyped(screen(), before?.typed);
  }
  end();
  if (live) delete root.dataset.ready; // they name themselves ready when they are
  if (quiet && !held) scrollTo(top);
  else if (again && (form || quiet)) stayAt(mark, top);
  else {
    arriveAt(url);
    if (before) scrollTo(before.top);
  }
  tellMessages();
  if (form) navigator.serviceWorker?.controller?.postMessage({ page: url.pathname, paths: [] });
}

// --- week and assistant ----------------------------------------------------------------------------------------------

/** True when they are alive and shown, at this address of theirs. */
function showLive(url, { push }) {
  const here = isLiveShown();
  if (!isLive(url) || !(here || (isLiveParked() && hasRail()))) return false;
  if (visit) {
    stop();
    end();
  }
  const stays = here && url.pathname === "/week" && location.pathname.startsWith("/week") && !url.search;
  if (!here) {
    remember({ back: !push });
    returnLive();
  }
  [entry, shown] = [null, ""];
  if (push && !stays) history.pushState(null, "", url);
  markRail(new URL(location.href));
  if (!stays) {
    enterLive(push);
    delete root.dataset.ready;
  }
  if (here) announce(document.title.split(" · ")[0]);
  else arriveAt(url);
  return true;
}

// --- Back and Forward ------------------------------------------------------------------------------------------------

function onPopState(event) {
  const url = new URL(location.href);
  if (!isLiveShown() && pathOf(url) === shown) return; // only the fragment has changed
  if (!visit?.back) remember();
  const back = visit?.back || { entry, address: addressShown() };
  entry = event.state?.entry || null;
  if (!showLive(url, { push: false })) ask(url, { back });
}

/** What htmx has not seen yet is a link like any other; a new window is the browser's. */
function onClick(event) {
  const link = event.target.closest?.("a[href]");
  if (!link) return;
  if (event.shiftKey) event.stopPropagation();
  else htmx.process(link);
}

/** Once htmx knows the links and forms of the first screen. */
function begin() {
  if (!isLiveShown()) {
    entry = history.state?.entry || `${run}-${(entries += 1)}`;
    shown = pathOf(location);
    history.replaceState({ entry }, "");
    restoreTyped(shown, screen());
    root.dataset.ready = "true";
  }
  tellKept();
}

export function startVisits() {
  if (document.readyState === "complete") begin();
  else document.addEventListener("DOMContentLoaded", begin);
  for (const [name, does] of Object.entries({
    "htmx:confirm": onConfirm, "htmx:configRequest": onConfigure, "htmx:beforeRequest": onRequest, "htmx:beforeSwap": onAnswer,
    "htmx:sendError": onNoAnswer, "htmx:timeout": onNoAnswer,
  })) document.addEventListener(name, does);
  document.addEventListener("click", onClick, true);
  document.addEventListener("submit", ({ target }) => {
    if (target.id === "language" && shown) keepTyped(shown, screen());
    else htmx.process(target);
  }, true);
  addEventListener("popstate", onPopState);
  // A reload, or a phone that threw the page away; what was answered is saved, what comes out of the browser's own store is as it was.
  addEventListener("pagehide", () => shown && document.body.dataset.account && !isAnswered(visit) && keepTyped(shown, screen()));
  addEventListener("pageshow", ({ persisted }) => persisted && forgetTyped());
  document.addEventListener("visibilitychange", () => setTimeout(renew, PRESS_MS));
  addEventListener("focus", () => setTimeout(renew, PRESS_MS));
  setInterval(tick, TICK_MS);
  addEventListener("timetable:changed", () => renew({ old: true }));
}
