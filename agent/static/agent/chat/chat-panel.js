// The left side: one conversation, its timeline and the line to write in.

import { ApiError, get, isRefusal, newKey, post } from "../api.js";
import { byId, whileBusy } from "../dom.js";
import { RunStream } from "./run-stream.js";
import { keep, kept } from "../keep.js";
import { TimelineModel, typeOfQuestion } from "./timeline-model.js";
import { TimelineView } from "./timeline-view.js";
import { t } from "../i18n.js";
import { dropAsking, toast, toastError } from "../toast.js";
const TIMELINE_LIMIT = 500;
/** So many items of a talk are asked for at once, its end first: what was said weeks ago is seldom looked at. */
const ITEMS_SHOWN = 60;
const SHOWS_PLAN = new Set(["schedule_completed", "draft_updated"]);
const ENDS_BLOCK = new Set([
  "text_end", "tool_result", "confirm_request", "interrupt", "schedule_completed", "system_message", "error",
]);
const ACTIVE = new Set(["queued", "running"]);

export class ChatPanel {
  /** `onPlan(show)`, `onRunning(flag)`, `onRunEnd()`, `onConversation(id)`, `onState(state)`, `onFailed(error, words)`, `picker`, `showPlan()`. */
  constructor({ picker, showPlan, ...listeners }) {
    Object.assign(this, { picker, ...listeners });
    this.conversationId = "";
    this.stream = null;
    this.unanswered = null;
    /** What cards are told with, the dates of the term, may still be on its way. */
    this.ready = Promise.resolve();
    this.view = new TimelineView(byId("timeline"), byId("spoken"), {
      answer: (block, action, message, option) => this.answer(block, action, message, option),
      retry: (block) => this.retry(block),
      leftBy: (runId) => this.model.leftBy(runId),
      showPlan,
    });
    this.model = new TimelineModel({
      onChange: (block) => this.view.changed(block),
      onRemove: (key) => this.view.removed(key),
    });
    this.bindComposer();
  }

  bindComposer() {
    const form = byId("composer");
    const input = byId("message");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.sendMessage(input.value.trim());
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    byId("cancel-run").addEventListener("click", () => this.cancel());
    byId("earlier").addEventListener("click", (event) => whileBusy(event.currentTarget, () => this.showEarlier().catch((error) => this.onFailed(error))));
    input.value = kept("message") || input.value;
    input.addEventListener("input", () => keep("message", input.value));
  }

  /** Words put into the composer; the student sends them. */
  suggest(words) {
    byId("message").value = words;
    keep("message", words);
  }

  redraw() {
    // A card that waits for an answer may hold a comment that is being typed.
    for (const block of this.model.blocks.values()) if (block.fields?.status !== "open") this.view.changed(block);
  }

  // --- opening -----------------------------------------------------------------------------------------------------

  /** Show a conversation as the server knows it; the same procedure after a reload. */
  async open(conversationId) {
    this.stream?.close();
    this.stream = null;
    this.model.clear();
    this.setFirst(1);
    if (conversationId !== this.conversationId) this.picker.clear();
    this.conversationId = conversationId;
    this.setRunning(false);
    if (!conversationId) return null;
    const state = await get(`/agent/conversations/${conversationId}/state`);
    const follow = await this.loadEnd(conversationId, Math.max(0, state.timeline_seq - ITEMS_SHOWN));
    if (conversationId !== this.conversationId) return null;
    this.showState(state);
    if (follow) this.followRun(follow);
    return state;
  }

  /** What stands behind `before`, from the first message there on. */
  async loadEnd(conversationId, before) {
    for (let after = before; ;) {
      const page = await this.askItems(conversationId, after, TIMELINE_LIMIT);
      await this.ready;
      if (conversationId !== this.conversationId) return null;
      this.view.showEnd();
      const items = after === before ? fromMessage(page.items, after) : page.items;
      if (after === before) this.setFirst(items[0]?.seq ?? 1);
      for (const item of items) this.model.addItem(item);
      if (!page.has_more) return page.follow;
      after = page.next_after_seq;
    }
  }

  askItems(conversationId, after, limit) {
    return get(`/agent/conversations/${conversationId}/timeline?after_seq=${after}&limit=${limit}`);
  }

  /** What was said before what is shown; what is being read stays where it is. */
  async showEarlier() {
    const { conversationId, first } = this;
    const after = Math.max(0, first - 1 - ITEMS_SHOWN);
    const page = await this.askItems(conversationId, after, first - 1 - after);
    if (conversationId !== this.conversationId || first !== this.first) return;
    const items = fromMessage(page.items, after);
    this.view.putBefore(() => this.model.putBefore(items, this.openInteraction));
    this.setFirst(items[0]?.seq ?? 1);
    if (byId("earlier").hidden) this.view.focusFirst();
  }

  /** The `seq` of the first item that is shown. */
  setFirst(seq) {
    this.first = seq;
    byId("earlier").hidden = seq <= 1;
  }

  /** Something may have happened in another tab: a run that was started or has ended, a card that was answered. */
  async refresh() {
    const asked = this.conversationId;
    if (!asked || this.running) return;
    const state = await get(`/agent/conversations/${asked}/state`);
    if (asked === this.conversationId && !this.running && momentOf(state) !== this.moment) await this.open(asked);
  }

  showState(state) {
    this.moment = momentOf(state);
    this.openInteraction = state.interaction?.interaction_id;
    this.model.settleAllBut(this.openInteraction);
    this.onState(state);
  }

  followRun({ run_id: runId, from }) {
    const stream = this.newStream();
    stream.follow(runId, from);
    this.watch(stream);
  }

  // --- writing -----------------------------------------------------------------------------------------------------

  async sendMessage(message) {
    if (!message || this.running) return;
    const extra = { task_class_ids: this.picker.takeScope(), always_execute: byId("always-execute").checked };
    const accepted = await this.run({
      conversation_id: this.conversationId, message, thinking: byId("thinking").checked ? "true" : "auto", extra,
    });
    if (!accepted) {
      this.picker.sent = "";
      return;
    }
    // The student may have written on while the answer was on its way.
    const input = byId("message");
    if (input.value.trim() === message) input.value = "";
    keep("message", input.value);
  }

  /** The message of a run that failed, once more. */
  async retry(block) {
    const said = this.model.lastSaid(block.run_id);
    if (said) await this.sendMessage(said);
  }

  async answer(block, action, message = "", option = undefined) {
    if (this.running) return;
    const type = block.kind === "confirm" ? "confirm" : typeOfQuestion(block.fields);
    const resume = { interaction_id: block.fields.interaction_id, type, action, option };
    await this.run({ conversation_id: this.conversationId, message, extra: { resume } });
  }

  /** Start a run; true when the server accepted it. */
  async run(body) {
    this.view.showEnd();
    const shown = body.message ? this.model.addUser(body.message) : null;
    const stream = this.newStream();
    this.cancelWanted = false;
    this.setRunning(true);
    try {
      const { conversationId } = await stream.start(body, this.keyOf(body));
      this.unanswered = null;
      if (conversationId !== this.conversationId) {
        this.conversationId = conversationId;
        this.onConversation(conversationId);
      }
    } catch (error) {
      if (shown) this.model.remove(shown.key);
      if (isRefusal(error)) this.unanswered = null;
      this.setRunning(false);
      await this.onFailed(error, body.message);
      if (error instanceof ApiError && ["40074", "40075"].includes(error.code)) await this.reopen();
      return false;
    }
    dropAsking();
    if (shown) shown.run_id = stream.runId;
    if (!body.extra?.resume) this.model.closeOffers();
    this.watch(stream);
    if (this.cancelWanted) await this.cancel();
    return true;
  }

  /** The key of a message; the same message again after a lost answer keeps it, so it starts one run only. */
  keyOf(body) {
    const wanted = JSON.stringify(body);
    if (this.unanswered?.wanted !== wanted) this.unanswered = { wanted, key: newKey() };
    return this.unanswered.key;
  }

  async reopen() {
    await this.open(this.conversationId).catch((error) => this.onFailed(error));
  }

  newStream() {
    const stream = new RunStream({
      onEvent: (event) => stream === this.stream && this.onEvent(event),
      onLink: (up) => { byId("link-lost").hidden = up; },
    });
    this.stream?.close();
    this.stream = stream;
    return stream;
  }

  async watch(stream) {
    this.setRunning(true);
    this.model.wait(stream.runId);
    try {
      await stream.done;
    } catch (error) {
      toastError(error);
    }
    if (stream !== this.stream) return;
    this.model.dropStatus(stream.runId, "");
    byId("link-lost").hidden = true;
    this.setRunning(false);
    await this.afterRun().catch((error) => this.onFailed(error));
  }

  onEvent(event) {
    const block = this.model.apply(event);
    if (ENDS_BLOCK.has(event.kind)) this.view.speak(block);
    if (SHOWS_PLAN.has(event.kind)) this.onPlan(event.kind === "schedule_completed");
  }

  /** The state after a run says which card is open and whether there is a plan. */
  async afterRun() {
    const asked = this.conversationId;
    this.onRunEnd();
    const state = await get(`/agent/conversations/${asked}/state`);
    if (asked !== this.conversationId || this.running) return;
    this.showState(state);
    if (state.draft.exists) this.onPlan(false);
    if (ACTIVE.has(state.last_run?.status)) await this.reopen();
  }

  /** A run that is still being started is cancelled as soon as its id is known. */
  async cancel() {
    this.cancelWanted = !this.stream?.runId;
    toast(t("cancel.sent"));
    try {
      if (!this.cancelWanted) await post(`/tasks/${this.stream.runId}/cancel`, undefined);
    } catch (error) {
      toastError(error);
    }
  }

  setRunning(running) {
    this.running = running;
    // The timeline needs the room once a conversation has begun.
    if (running) byId("classes").open = false;
    byId("send").disabled = running;
    byId("cancel-run").hidden = !running;
    byId("timeline").setAttribute("aria-busy", String(running));
    this.onRunning(running);
  }
}

/** A run is shown from its message on; one that is longer than what was asked for, as far as it came. */
function fromMessage(items, after) {
  const first = after ? items.findIndex((item) => item.kind === "user_text") : 0;
  return items.slice(Math.max(0, first));
}

/** What of a state another tab can change. */
function momentOf(state) {
  return JSON.stringify([state.last_run?.run_id, state.last_run?.status, state.interaction?.interaction_id]);
}
