// One block of the week: what is told of it, and what can be done with it from its sheet or by a key.

import { newKey, post, postOnce } from "../../api.js";
import { byId } from "../../dom.js";
import { ruleText, t } from "../../i18n.js";
import { dated } from "../term.js";
import { toast } from "../../toast.js";
import { BlockSheet, whenText } from "./block-sheet.js";

export class BlockActions {
  /** `host` offers: look(), entries(), dropChanges(ids), reload(), applied(), refused(error). */
  constructor({ draft, keeper, weeks, hand }, host) {
    Object.assign(this, { draft, keeper, weeks, hand, host });
    this.sheet = new BlockSheet(byId("block-sheet"));
  }

  open(itemId, node) {
    const entry = this.entryOf(itemId);
    if (!entry) return;
    this.sheet.open({
      seal: this.host.look().seal(entry.task_class_id), title: entry.name, near: node,
      facts: this.factsOf(entry), actions: this.actionsOf(entry), reason: entry.week ? this.askWhy(entry) : null,
    });
  }

  /** Does with the block what its sheet offers under that icon, if it does. */
  run(itemId, icon) {
    const entry = this.entryOf(itemId);
    if (entry) this.actionsOf(entry).find((one) => one.icon === icon)?.run();
  }

  /** The item in the shown week, or among those without a place. */
  entryOf(itemId) {
    return this.host.entries().find((one) => one.type === "task" && itemId && one.task_item_id === itemId)
      || this.draft.unplaced().find((one) => one.task_item_id === itemId);
  }

  // --- what is told --------------------------------------------------------------------------------------------------

  /** One sentence; nothing when there is none to give. */
  async askWhy(entry) {
    return dated((await post("/agent/why", { task_item_id: entry.task_item_id, conversation_id: this.keeper.named })).message);
  }

  factsOf(entry) {
    const { first_monday: monday, section_times: times } = this.weeks.semester;
    const draft = entry.status === "suggested";
    const state = !entry.week ? t("block.unplaced") : t(draft ? "block.draft" : `progress.${entry.progress || "open"}`);
    const number = entry.task_order ? t("grid.number", { order: entry.task_order, total: entry.task_total }) : "";
    const host = this.hostOf(entry);
    return [
      [t("block.task"), [this.host.look().className(entry.task_class_id), number].filter(Boolean).join(" · ")],
      entry.week && [t("block.time"), whenText(entry, monday, times)],
      host && [t("block.host"), host],
      [t("block.state"), [state, entry.pinned && t("grid.pinned")].filter(Boolean).join(" · ")],
      entry.rule && [t("block.why"), ruleText(entry.rule)],
    ].filter(Boolean);
  }

  hostOf(entry) {
    if (!entry.week || !entry.event_id) return "";
    const host = this.host.entries().find((one) => one.type === "course" && one.event_id === entry.event_id);
    return host ? [host.name, host.location].filter(Boolean).join(" · ") : "";
  }

  // --- what can be done ----------------------------------------------------------------------------------------------

  actionsOf(entry) {
    const itemId = entry.task_item_id;
    if (entry.status === "suggested" || !entry.week) return this.draftActions(entry);
    const mark = (progress, name) => this.markAction(entry, progress, name);
    const begun = this.weeks.hasBegun(entry);
    return [
      this.hand.appliedHandle(itemId) && { icon: "move", label: t("action.move"), run: () => this.hand.pickUp(itemId) },
      entry.progress === "open" || !begun ? mark("done", "check") : mark("open", "clock"),
      begun && entry.progress !== "missed" && mark("missed", "x"),
      begun && entry.section_to > entry.section_from && mark("partial", "clock"),
      { icon: "pin", label: t(entry.pinned ? "action.unpin" : "action.pin"), run: () => this.act(() => this.pin(entry)) },
      !begun && { icon: "out", label: t("action.takeOff"), run: () => this.act(() => this.takeOff(entry)) },
    ].filter(Boolean);
  }

  markAction(entry, progress, icon) {
    return { icon, label: t(`action.${progress}`), run: () => this.act(() => this.mark(entry, progress)) };
  }

  /** What is not on the timetable yet is moved, pinned, done before its time or left out of the draft. */
  draftActions(entry) {
    const itemId = entry.task_item_id;
    const move = { icon: "move", label: t(entry.week ? "action.move" : "action.place"), run: () => this.hand.pickUp(itemId) };
    if (this.draft.moves.has(itemId)) return [move];
    const done = this.markAction(entry, "done", "check");
    if (!entry.week) return [move, done];
    const pin = () => this.keeper.pin(entry).catch(this.host.refused);
    return [move, { icon: "pin", label: t(entry.pinned ? "action.unpin" : "action.pin"), run: pin }, done,
      { icon: "out", label: t(entry.change === "moved" ? "review.stay" : "review.drop"), run: () => this.host.dropChanges([itemId]) }];
  }

  /** What changes the timetable at once; it can be undone from the dock. */
  async act(work) {
    try {
      await work();
      await this.host.reload();
      this.host.applied();
    } catch (error) {
      await this.host.refused(error);
    }
  }

  async mark(entry, progress) {
    await post(`/schedule/task-items/${entry.task_item_id}/progress`, { progress });
    toast(t(`marked.${progress}`, { name: entry.name }), "success");
  }

  /** What is pinned is moved by nobody but the student. */
  async pin(entry) {
    await post(`/schedule/task-items/${entry.task_item_id}/${entry.pinned ? "unpin" : "pin"}`, undefined, { key: newKey() });
  }

  async takeOff(entry) {
    await postOnce(`/schedule/task-items/${entry.task_item_id}/undo`);
    toast(t("taken", { name: entry.name }), "success");
  }
}
