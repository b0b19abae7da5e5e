// Where the focus goes when the button or block that had it is gone.

import { byId } from "../dom.js";

/** To the block that the Tab key stops at, or to the review that is open over the week. */
export function keepFocus() {
  const { activeElement: at } = document;
  // One in a dialog that has just closed still counts as focused until the page is drawn.
  if (at && at !== document.body && at.checkVisibility()) return;
  const block = byId("week-grid").querySelector(".entry[tabindex='0']");
  if (byId("review").open) byId("review").querySelector(".sheet-body").focus({ preventScroll: true });
  else (block || byId("week-grid")).focus({ preventScroll: !block });
}
