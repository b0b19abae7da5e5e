// The public HTTP API: one envelope, one error class, one place that adds CSRF token and keys.

import { locale, t } from "./i18n.js";

const PREFIX = "/api/v1";
/** A line that swallows what is sent looks like one that is slow: who has no answer by then is not connected. */
export const ANSWER_MS = 30_000;

/** A refusal of the server (5-digit code) or a failed connection (code ""). */
export class ApiError extends Error {
  constructor(code, info, data = null, status = 0) {
    super(info);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

function cookie(name) {
  const pair = document.cookie.split("; ").find((entry) => entry.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : "";
}

/** A random key; `crypto.randomUUID` exists in secure contexts only, so the bytes are drawn by hand. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `signal`: what ends the request otherwise than by that time, for an answer that is read as it comes. */
export async function send(method, path, { body, key, headers, signal = AbortSignal.timeout(ANSWER_MS) } = {}) {
  const named = { "Accept-Language": locale, ...headers };
  if (method !== "GET") named["X-CSRFToken"] = cookie("csrftoken");
  const form = body instanceof FormData;
  if (body !== undefined && !form) named["Content-Type"] = "application/json";
  if (key) named["Idempotency-Key"] = key;
  try {
    return await fetch(PREFIX + path, {
      method,
      headers: named,
      body: body === undefined || form ? body : JSON.stringify(body),
      signal,
      credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("", t("error.network"));
  }
}

/** The envelope of a JSON answer, or an ApiError that carries its code. */
export async function envelope(response) {
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError("", t("error.network"), null, response.status);
  }
  if (answer.status === "10000") return answer.data;
  if (answer.status === "40014") window.location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}&ended=1`);
  throw new ApiError(answer.status, answer.info, answer.data, response.status);
}

async function call(method, path, options) {
  return envelope(await send(method, path, options));
}

/** Every row of a paged list. */
export async function all(path) {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const answer = await get(`${path}?page=${page}&page_size=100`);
    rows.push(...answer.list);
    if (!answer.has_more) return rows;
  }
}

/** Still running, or not looked at because too much was asked for: the request may have been done before. */
const NOT_YET = new Set(["40038", "40033"]);
/** Whether nothing was done, nor will be: what has no answer, or failed on the way to one, may have been done. */
export const isRefusal = ({ code, status }) => Boolean(code) && status < 500 && !NOT_YET.has(code);

/** Writes whose answer has not come: the last of each path, as it was sent, with its key. */
const unanswered = new Map();

/** A write that is asked for again after its answer was lost is the same one: the server does it once. */
export async function postOnce(path, body) {
  const wanted = JSON.stringify(body ?? null);
  if (unanswered.get(path)?.wanted !== wanted) unanswered.set(path, { wanted, key: newKey() });
  const { key } = unanswered.get(path);
  const forget = () => unanswered.get(path)?.key === key && unanswered.delete(path);
  try {
    const answer = await post(path, body, { key });
    forget();
    return answer;
  } catch (error) {
    if (isRefusal(error)) forget();
    throw error;
  }
}

export const get = (path, options) => call("GET", path, options);
export const post = (path, body, options) => call("POST", path, { ...options, body });
export const remove = (path, options) => call("DELETE", path, options);
