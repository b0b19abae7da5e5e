// Draws the blocks of the timeline model; redraws are gathered into one per frame.

import { confirmCard, group, questionCard, toolCard, toolTitle } from "./cards.js";
import { StepsLine } from "./steps-line.js";
import { markedText, unmarked } from "./marked-text.js";
import { button, el, replace, scrollerOf } from "../dom.js";
import { t, told } from "../i18n.js";
import { dated, dateTexts } from "../week/term.js";

const NEAR_BOTTOM_PX = 80;
const SPOKEN_KEPT = 20;
const LINES_SHOWN = 5;

export class TimelineView {
  /** `spoken` is read aloud by screen readers; `answer(block, action, message, option)` resumes a run; `retry(block)` sends what failed again; `leftBy(runId)` tells what a failed run left; `showPlan()` brings the week grid into view. */
  constructor(root, spoken, { answer, retry, leftBy, showPlan }) {
    this.root = root;
    this.spoken = spoken;
    this.answer = answer;
    this.retry = retry;
    this.leftBy = leftBy;
    this.showPlan = showPlan;
    this.nodes = new Map();
    this.steps = new Map();
    this.dirty = new Map();
    this.planned = false;
    this.follow = false;
    /** What new slots are put before; null for the end. */
    this.before = null;
  }

  changed(block) {
    // Asked before the first new slot makes the list longer.
    if (!this.planned) this.follow ||= this.atEnd();
    this.dirty.set(block.key, block);
    if (!this.nodes.has(block.key)) this.place(block);
    if (this.planned) return;
    this.planned = true;
    if (document.hidden) this.flush();
    else requestAnimationFrame(() => this.flush());
  }

  /** What comes next is wanted in view, wherever the reader has scrolled to. */
  showEnd() {
    this.follow = true;
  }

  atEnd() {
    const scroller = scrollerOf(this.root);
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX;
  }

  removed(key) {
    this.dirty.delete(key);
    this.nodes.get(key)?.remove();
    this.nodes.delete(key);
    for (const [runId, line] of this.steps) if (line.forget(key)) this.steps.delete(runId);
    this.root.dataset.empty = String(this.nodes.size === 0);
  }

  /** A slot in true order at once; its content follows with the next frame. */
  place(block) {
    const slot = el("li", { class: `block ${block.kind}`, data: { kind: block.kind } });
    if (block.kind === "tool") this.lineOf(block).add(block, slot);
    this.nodes.set(block.key, slot);
    this.root.insertBefore(slot, this.before);
    this.root.dataset.empty = "false";
  }

  /** Blocks that `put()` reports stand before all others, which stay where they are on the screen. */
  putBefore(put) {
    this.flush();
    const scroller = scrollerOf(this.root);
    const { scrollTop, scrollHeight } = scroller;
    this.before = this.root.firstChild;
    put();
    this.before = null;
    this.follow = false;
    this.flush();
    scroller.scrollTop = scrollTop + scroller.scrollHeight - scrollHeight;
  }

  focusFirst() {
    const slot = this.root.firstElementChild;
    if (!slot) return;
    slot.tabIndex = -1;
    slot.focus({ preventScroll: true });
  }

  /** All steps of a run stand behind one line, where the first of them was. */
  lineOf(block) {
    if (!this.steps.has(block.run_id)) this.steps.set(block.run_id, new StepsLine(this.root, this.before, (block) => this.paint(block)));
    return this.steps.get(block.run_id);
  }

  flush() {
    this.planned = false;
    const scroller = scrollerOf(this.root);
    for (const block of this.dirty.values()) this.keepingPlace(block);
    this.dirty.clear();
    if (this.follow) scroller.scrollTop = scroller.scrollHeight;
    this.follow = false;
  }

  /** A card that is drawn anew while it has the focus keeps it, answered or not. */
  keepingPlace(block) {
    const slot = this.nodes.get(block.key);
    const focused = slot?.contains(document.activeElement);
    this.draw(block);
    if (!focused || slot.contains(document.activeElement)) return;
    slot.tabIndex = -1;
    (slot.querySelector("summary") || slot).focus({ preventScroll: true });
  }

  /** Read a finished block aloud; what still streams is not, or each piece would be read again. */
  speak(block) {
    const words = dated(block && SPOKEN[block.kind]?.(block, this.spoken.lastChild?.textContent === dated(unmarked(block.fields?.question || ""))));
    if (!words) return;
    const lines = this.spoken.children;
    if (lines.length >= SPOKEN_KEPT) lines[0].remove();
    this.spoken.append(el("p", { text: words }));
  }

  draw(block) {
    const slot = this.nodes.get(block.key);
    if (slot && !slot.hidden) this.paint(block);
    if (slot && block.kind === "tool") this.lineOf(block).draw();
  }

  /** What a student has written is shown as it was written. */
  paint(block) {
    const slot = this.nodes.get(block.key);
    PAINTERS[block.kind]?.(slot, block, this);
    if (block.kind !== "user") dateTexts(slot);
  }
}

function bubble(slot, block) {
  if (!slot.firstChild) slot.append(el("div", { class: "bubble" }));
  if (block.kind === "user") slot.firstChild.textContent = block.text;
  else replace(slot.firstChild, markedText(block.text));
  slot.classList.toggle("live", Boolean(block.open));
  if (!block.open && !slot.children[1] && block.text.split("\n").length > LINES_SHOWN) fold(slot);
}

/** A long message shows its beginning; the week beside it shows the rest. */
function fold(slot) {
  slot.classList.add("folded");
  slot.append(button(t("more"), (event) => {
    slot.classList.remove("folded");
    event.currentTarget.remove();
  }, { class: "plain more" }));
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

function note(slot, block) {
  slot.replaceChildren(el("p", { class: "note", text: block.text }));
}

/** What happened, what is safe, and the way out: on from where it stopped, by the card above, or all of it again. */
function failure(slot, block, view) {
  const { wrote, resumes } = view.leftBy(block.run_id);
  slot.replaceChildren(el("div", { class: "card failure", attrs: group(t("error.title")) },
    el("p", { class: "ask-text" }, el("b", { text: t("error.title") }), " ", block.text),
    el("p", { class: "quiet", text: t(wrote ? "error.kept" : "error.safe") }),
    el("div", { class: "ask-actions" },
      resumes ? null : button(t("action.retry"), () => view.retry(block), { class: "primary", data: { action: "retry" } }),
      el("a", { class: "plain", text: t("error.tasks"), attrs: { href: "/tasks" } })),
    block.fields?.code && el("small", { class: "quiet", text: t("error.number", { code: block.fields.code }) })));
}

const SPOKEN = {
  text: (block) => (block.open ? "" : unmarked(block.text)),
  system: (block) => block.text,
  error: (block) => block.text,
  tool: (block) => (block.open ? "" : toolTitle(block.fields)),
  confirm: (block) => told(block.fields.title, block.fields.summary),
  question: (block, said) => (said ? t("interaction.open") : unmarked(block.fields.question)),
  schedule: () => t("schedule.ready"),
};

const PAINTERS = {
  user: bubble,
  text: bubble,
  reasoning,
  status: note,
  system: note,
  error: failure,
  tool: (slot, block) => slot.replaceChildren(toolCard(block, slot.firstChild?.open ?? false)),
  confirm: (slot, block, view) =>
    slot.replaceChildren(confirmCard(block, (action, message) => view.answer(block, action, message))),
  question: (slot, block, view) =>
    slot.replaceChildren(questionCard(block, {
      said: slot.previousElementSibling?.querySelector(".bubble")?.textContent === dated(unmarked(block.fields.question)),
      answer: (action, message, option) => view.answer(block, action, message, option),
    })),
  schedule: (slot, block, view) =>
    slot.replaceChildren(el("div", { class: "card ready" }, el("span", { text: t("schedule.ready") }),
      button(t("schedule.show"), () => view.showPlan(), { class: "plain" }))),
};
