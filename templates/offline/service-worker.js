// Keeps today and the last week for when there is no connection: for one account, until it signs out or another signs in.

const SHELL = "smartmate-shell";
const KEPT = "smartmate-kept";
const OFFLINE = "/offline";
const DOORS = ["/login", "/logout", "/account/login/", "/account/logout/", "/account/signup/"];
const ENTRIES_MAX = 100;
const TODAY_AGE_MS = 3_600_000;
/** A network that is there and answers nothing is none: so long is waited for a page, and for what a kept page is drawn with. */
const PAGE_MS = 8_000;
const PART_MS = 3_000;

/** Pages that came from here: only their requests are answered from here, so that every other page learns the truth. */
const keptClients = new Set();
/** Raised when all is forgotten: what was asked for before is not kept after. */
let generation = 0;

const api = (path) => path.startsWith("/api/") && !/\/(stream|exports)\b/.test(path);
const asset = (path) => path.startsWith("/static/") || path.startsWith("/assets/");

/** The name under which a page is kept: one today, one week, whichever was opened last. */
function pageKey(path) {
  if (path === "/today") return "/today";
  return path === "/week" || path.startsWith("/week/") ? "/week" : "";
}

async function forget() {
  generation += 1;
  keptClients.clear();
  await caches.delete(KEPT);
}

async function put(name, key, answer, born) {
  const headers = new Headers(answer.headers);
  headers.delete("Content-Encoding");
  headers.set("X-Kept-At", String(Date.now()));
  const body = await answer.blob();
  if (born !== generation) return;
  const cache = await caches.open(name);
  await cache.delete(key, { ignoreVary: true });
  await cache.put(key, new Response(body, { headers }));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - ENTRIES_MAX)).map((old) => cache.delete(old)));
  if (born !== generation) await caches.delete(KEPT);
}

async function found(name, key) {
  return (await caches.open(name)).match(key, { ignoreVary: true });
}

/** Today is kept whenever a week is, with what it is drawn with. */
async function keepToday(born) {
  const kept = await found(KEPT, "/today");
  if (kept && Date.now() - Number(kept.headers.get("X-Kept-At")) < TODAY_AGE_MS) return;
  await keepPage("/today", KEPT, born);
}

async function keepPage(path, name, born, key = path) {
  // The header leaves messages for the page that is shown.
  const answer = await fetch(path, { headers: { "X-For-Later": "1" } });
  if (!answer.ok || answer.redirected) return;
  const text = await answer.clone().text();
  await put(name, key, answer, born);
  const assets = [...new Set(text.match(/\/(?:static|assets)\/[^"'\s)]+/g))];
  await Promise.all(assets.map(async (one) => {
    if (!(await found(SHELL, one))) await put(SHELL, one, await fetch(one), born);
  }));
}

/** A proxy that finds no server behind it. */
const isGone = ({ status }) => status === 502 || status === 504;

/** The answer, or a refusal once it is late; what comes later is kept still. */
function inTime(answer, milliseconds) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new TypeError("no answer")), milliseconds);
    answer.then(resolve, reject);
  });
}

/** From the network; where something is kept instead, no longer than it takes to know that there is none. */
async function fetchInTime(event, key) {
  const answer = fetchPage(event, key);
  event.waitUntil(answer.catch(() => {}));
  return key && await found(KEPT, key) ? inTime(answer, PAGE_MS) : answer;
}

async function fetchPage(event, key) {
  const born = generation;
  const answer = await fetch(event.request);
  if (key && answer.ok && !answer.redirected) {
    const copy = answer.clone();
    event.waitUntil(put(KEPT, key, copy, born).then(() => keepToday(born)).catch(() => {}));
  }
  return answer;
}

/** A screen that is put into a page that is open: kept like one that is loaded, and told apart where it is not there. */
async function visit(event, path) {
  const key = pageKey(path);
  const answer = await fetchInTime(event, key).catch(() => null);
  if (answer && !isGone(answer)) return answer;
  const kept = key === "/today" && await found(KEPT, key);
  return kept ? dated(kept) : answer || Response.error();
}

/** The page as it was kept, with when that was. */
async function dated(kept) {
  const headers = new Headers(kept.headers);
  const text = await kept.text();
  return new Response(text.replace("<html", `<html data-kept-at="${headers.get("X-Kept-At")}"`), { headers });
}

async function navigate(event, path) {
  const key = pageKey(path);
  const answer = await fetchInTime(event, key).catch(() => null);
  if (answer && !isGone(answer)) return answer;
  const kept = key && await found(KEPT, key);
  if (answer && !kept) return answer;
  keptClients.add(event.resultingClientId);
  return kept ? dated(kept) : (await found(SHELL, OFFLINE)) || Response.error();
}

async function load(event, name) {
  const born = generation;
  const isKept = keptClients.has(event.clientId);
  try {
    const late = isKept && await found(name, event.request.url);
    const answer = await (late ? inTime(fetch(event.request), PART_MS) : fetch(event.request));
    if (isKept && isGone(answer)) throw new TypeError("no server");
    if (answer.status === 401) event.waitUntil(forget());
    if (answer.status === 200) event.waitUntil(put(name, event.request.url, answer.clone(), born).catch(() => {}));
    return answer;
  } catch (error) {
    const kept = (name === SHELL || isKept) && await found(name, event.request.url);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepPage(OFFLINE, SHELL, generation).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && DOORS.includes(pathname)) event.waitUntil(forget());
  else if (event.request.method !== "GET") return;
  else if (event.request.mode === "navigate") event.respondWith(navigate(event, pathname));
  else if (event.request.headers.has("HX-Request")) event.respondWith(visit(event, pathname));
  else if (api(pathname)) event.respondWith(load(event, KEPT));
  else if (asset(pathname)) event.respondWith(load(event, SHELL));
});

/** A page that was open before this began names what it is made of. */
self.addEventListener("message", (event) => {
  const born = generation;
  const paths = event.data.paths.filter((path) => api(path) || asset(path));
  event.waitUntil((async () => {
    const key = pageKey(event.data.page);
    if (key) await keepPage(event.data.page, KEPT, born, key);
    await Promise.all(paths.map(async (path) => {
      const answer = await fetch(path);
      if (answer.status === 200) await put(asset(path) ? SHELL : KEPT, new URL(path, self.location.origin).href, answer, born);
    }));
    await keepToday(born);
  })().catch(() => {}));
});
