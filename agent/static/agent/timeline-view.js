// Draws the blocks of the timeline model; redraws are gathered into one per frame.

import { confirmCard, questionCard, toolCard } from "./cards.js";
import { button, el } from "./dom.js";
import { t } from "./i18n.js";

const NEAR_BOTTOM_PX = 80;

export class TimelineView {
  /** `answer(block, action, message, option)` resumes a run; `showPlan()` brings the week grid into view. */
  constructor(root, { answer, showPlan }) {
    this.root = root;
    this.answer = answer;
    this.showPlan = showPlan;
    this.nodes = new Map();
    this.dirty = new Map();
    this.planned = false;
  }

  changed(block) {
    this.dirty.set(block.key, block);
    if (!this.nodes.has(block.key)) this.place(block);
    if (this.planned) return;
    this.planned = true;
    if (document.hidden) this.flush();
    else requestAnimationFrame(() => this.flush());
  }

  removed(key) {
    this.dirty.delete(key);
    this.nodes.get(key)?.remove();
    this.nodes.delete(key);
    this.root.dataset.empty = String(this.nodes.size === 0);
  }

  /** A slot in true order at once; its content follows with the next frame. */
  place(block) {
    const slot = el("li", { class: `block ${block.kind}`, data: { kind: block.kind } });
    this.nodes.set(block.key, slot);
    this.root.append(slot);
    this.root.dataset.empty = "false";
  }

  flush() {
    this.planned = false;
    const scroller = this.root.parentElement;
    const follow = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX;
    for (const block of this.dirty.values()) this.draw(block);
    this.dirty.clear();
    if (follow) scroller.scrollTop = scroller.scrollHeight;
  }

  draw(block) {
    const slot = this.nodes.get(block.key);
    const painter = PAINTERS[block.kind];
    if (slot && painter) painter(slot, block, this);
  }
}

function bubble(slot, block) {
  if (!slot.firstChild) slot.append(el("div", { class: "bubble" }));
  slot.firstChild.textContent = block.text;
  slot.classList.toggle("live", Boolean(block.open));
}

function reasoning(slot, block) {
  if (!slot.firstChild) {
    slot.append(el("details", { class: "thinking" }, el("summary"), el("div", { class: "thought" })));
    slot.firstChild.open = Boolean(block.open);
  }
  const details = slot.firstChild;
  const seconds = ((block.fields?.duration_ms ?? 0) / 1000).toFixed(1);
  details.firstChild.textContent = block.open ? t("reasoning.live") : t("reasoning.done", { seconds });
  details.lastChild.textContent = block.text;
  if (!block.open && slot.classList.contains("live")) details.open = false;
  slot.classList.toggle("live", Boolean(block.open));
}

function note(role) {
  return (slot, block) => slot.replaceChildren(el("p", { class: "note", text: block.text, attrs: { role } }));
}

const PAINTERS = {
  user: bubble,
  text: bubble,
  reasoning,
  status: note("status"),
  system: note("note"),
  error: note("alert"),
  tool: (slot, block) => slot.replaceChildren(toolCard(block, slot.firstChild?.open ?? false)),
  confirm: (slot, block, view) =>
    slot.replaceChildren(confirmCard(block, (action, message) => view.answer(block, action, message))),
  question: (slot, block, view) =>
    slot.replaceChildren(questionCard(block, (action, message, option) => view.answer(block, action, message, option))),
  schedule: (slot, block, view) =>
    slot.replaceChildren(el("div", { class: "card ready" }, el("span", { text: t("schedule.ready") }),
      button(t("schedule.show"), () => view.showPlan(), { class: "plain" }))),
};
