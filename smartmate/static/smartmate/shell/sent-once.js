// A form that is sent again because its answer was lost has the same key, by which the server does it once.

import { keptOf, keepOf } from "./typed.js";

const SENT = "sent";

const valueOf = (value) => (value instanceof File ? [value.name, value.size, value.lastModified] : value);

/** The key of a form with these fields: the same until its answer has come, over a reload too. A password is kept nowhere. */
export function keyOf(form, path, fields) {
  if (form.querySelector("[type=password], [autocomplete*=password]")) return "";
  const wanted = JSON.stringify([path, ...[...fields].map(([name, value]) => [name, valueOf(value)])]);
  const before = keptOf(SENT);
  if (before?.wanted === wanted) return before.key;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  keepOf(SENT, { wanted, key });
  return key;
}

const STILL_RUNNING = 409;
const TOO_OFTEN = 429;

/** An answer has come: what failed on the way to it, is still being done, or was not looked at, may have been done. */
export function noteAnswer(status) {
  if (status < 500 && status !== STILL_RUNNING && status !== TOO_OFTEN) keepOf(SENT, null);
}
