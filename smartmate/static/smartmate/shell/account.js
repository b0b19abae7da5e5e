// Whose page this is: nothing of an account stays for the next one of the same browser.

import { forgetAccount } from "./typed.js";

const SESSION = "/api/v1/auth/session";

/** Each sign-in, in any tab, makes another one. */
const tokenNow = () => document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="));
let known = tokenNow();

/** Somebody else may have signed in from another tab: what is shown here would be written into that account. */
async function look() {
  const { account } = document.body.dataset;
  const token = tokenNow();
  if (document.hidden || !account || token === known) return;
  const answer = await fetch(SESSION, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // asked again when it is next looked at
  known = token;
  if (String((await answer.json()).data.user.id) === account) return;
  forgetAccount();
  location.assign("/");
}

export function startAccount() {
  document.addEventListener("submit", ({ target }) => "endsSession" in target.dataset && forgetAccount());
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
}
