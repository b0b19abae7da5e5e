// Keys of the week. They work while the focus is in the grid only, so nobody who types or dictates elsewhere meets them.

import { button, el, replace } from "../../dom.js";
import { t } from "../../i18n.js";

/** What the help lists, in its order: keys and what they do. */
const LISTED = [
  ["← ↑ → ↓", "keys.arrows"], ["PgUp PgDn", "keys.weeks"], ["Home End", "keys.ends"], ["T", "keys.today"], ["1 3 7", "keys.days"],
  ["Enter", "keys.open"], ["M", "keys.move"], ["P", "keys.pin"], ["D", "keys.done"], ["Del", "keys.out"], ["Esc", "keys.escape"],
  ["A", "keys.review"], ["/", "keys.assistant"], ["Ctrl Z", "keys.undo"], ["?", "keys.help"],
];

/** Whether keys of one character do anything: who dictates may switch them off. */
export const singleKeys = () => document.documentElement.dataset.letterKeys !== "off";

export class WeekKeys {
  /** `does` maps a key, lower case, to what it does: (itemId or 0) => void. */
  constructor(root, { help, holding, does }) {
    Object.assign(this, { root, help, holding, does: { ...does, "?": () => this.showHelp() } });
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("focusin", (event) => this.remember(event.target.closest("[data-item]")));
  }

  onKey(event) {
    if (event.defaultPrevented || event.altKey || event.metaKey || this.holding()) return;
    if (!event.ctrlKey && event.key.length === 1 && event.key !== " " && !singleKeys()) return;
    const key = event.ctrlKey ? `ctrl+${event.key.toLowerCase()}` : event.key.toLowerCase();
    if (STEPS[key]) this.step(event, STEPS[key]);
    else if (this.does[key]) {
      event.preventDefault();
      this.does[key](Number(event.target.closest("[data-item]")?.dataset.item) || 0);
    }
  }

  /** To the block that lies next in a direction, or the first one. */
  step(event, choose) {
    const blocks = [...this.root.querySelectorAll(".entry[data-item]")];
    if (!blocks.length) return;
    event.preventDefault();
    const from = event.target.closest("[data-item]");
    const next = from ? choose(from, blocks) : blocks[0];
    next?.focus();
  }

  /** One block is the stop of the Tab key; the arrows reach the others. */
  remember(node) {
    if (!node) return;
    this.last = node.dataset.item;
    this.settle();
  }

  /** Of a block that is gone from the shown `week` the next one takes the place. */
  settle(week = this.week) {
    const blocks = [...this.root.querySelectorAll(".entry[data-item]")];
    const found = blocks.findIndex((node) => node.dataset.item === this.last);
    if (found >= 0 || week !== this.week) Object.assign(this, { week, number: Math.max(0, found) });
    const stop = blocks[Math.min(this.number || 0, blocks.length - 1)];
    for (const node of blocks) node.tabIndex = node === stop ? 0 : -1;
    this.root.tabIndex = stop ? -1 : 0; // an empty week is scrolled by keys as well
  }

  showHelp() {
    replace(this.help,
      el("h2", { text: t("keys.title"), attrs: { id: "help-title" } }),
      el("p", { class: "quiet", text: t("keys.where") }),
      el("dl", { class: "keys" }, LISTED.map(([keys, text]) => el("div", {}, el("dt", {}, keys.split(" ").map((key) => el("kbd", { text: key }))), el("dd", { text: t(text) })))),
      el("div", { class: "dialog-actions" }, button(t("action.close"), () => this.help.close())));
    this.help.showModal();
  }
}

const middle = (node) => {
  const box = node.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

/** The nearest of the blocks ahead; what lies aside counts more than what lies far. */
function nearest(from, blocks, ahead, aside) {
  const here = middle(from);
  const found = blocks.map((node) => ({ node, at: middle(node) })).filter(({ node, at }) => node !== from && ahead(here, at) > 1)
    .map(({ node, at }) => ({ node, far: ahead(here, at) + 3 * aside(here, at) }));
  return found.sort((a, b) => a.far - b.far)[0]?.node;
}

const across = (a, b) => Math.abs(a.x - b.x);
const down = (a, b) => Math.abs(a.y - b.y);
const STEPS = {
  arrowleft: (from, blocks) => nearest(from, blocks, (a, b) => a.x - b.x, down),
  arrowright: (from, blocks) => nearest(from, blocks, (a, b) => b.x - a.x, down),
  arrowup: (from, blocks) => nearest(from, blocks, (a, b) => a.y - b.y, across),
  arrowdown: (from, blocks) => nearest(from, blocks, (a, b) => b.y - a.y, across),
  home: (_, blocks) => blocks[0],
  end: (_, blocks) => blocks.at(-1),
};
