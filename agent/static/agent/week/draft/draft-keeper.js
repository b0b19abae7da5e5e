// Keeps the draft of the open conversation in step with the server: fetched when it has changed, own moves saved by themselves.

import { ApiError, get, post, postOnce } from "../../api.js";
import { keep, kept } from "../../keep.js";
import { buildItemsFromEntries } from "./draft.js";

export class DraftKeeper {
  /**
   * `host` offers: draw(), drawDock(), showSemester(id), revealFirst(), learnNames(names), adopted(id): a conversation was opened for the draft, and
   * refused(error), which tells it and looks everything up again.
   */
  constructor(draft, host) {
    Object.assign(this, { draft, host, conversationId: "", saving: null, known: false });
    window.addEventListener("online", () => this.saveSoon());
  }

  /** The conversation whose draft is meant, where there is one. */
  get named() {
    return this.draft.exists ? this.conversationId : undefined;
  }

  /** What a request about this draft begins with. */
  get revised() {
    return { conversation_id: this.conversationId, revision: this.draft.preview.revision };
  }

  async open(conversationId) {
    await this.saving;
    this.conversationId = conversationId;
    this.draft.clear();
    this.known = !conversationId;
    if (conversationId) await this.load();
    else await this.host.showSemester(0).finally(() => this.host.draw());
    this.restoreMoves();
  }

  /** A draft that has the item's class in it; a conversation is opened for it when there is none. */
  async openFor(handle) {
    if (this.draft.preview?.task_class_ids.includes(handle.task_class_id)) return;
    const opened = await postOnce("/agent/replan", { kind: "hand", conversation_id: this.conversationId || undefined });
    if (opened.conversation_id !== this.conversationId) this.host.adopted(opened.conversation_id);
    this.conversationId = opened.conversation_id;
    await this.load();
  }

  // --- what the server has -------------------------------------------------------------------------------------------

  /** Events that come close together are answered by one preview: the one that is asked for after the last of them. */
  load({ show = false } = {}) {
    this.wantsShow ||= show;
    this.nextPreview ??= Promise.resolve(this.preview).catch(() => {}).then(() => {
      const options = { show: this.wantsShow };
      Object.assign(this, { nextPreview: null, wantsShow: false });
      this.preview = this.fetchPreview(options);
      return this.preview;
    });
    return this.nextPreview;
  }

  /** A conversation without a draft has none. */
  async fetchPreview({ show }) {
    const asked = this.conversationId;
    if (!asked) return;
    try {
      const preview = await get(`/agent/schedule-preview?conversation_id=${encodeURIComponent(asked)}`);
      if (asked !== this.conversationId || preview.revision < (this.draft.preview?.revision ?? 0)) return;
      await this.host.showSemester(preview.semester_id);
      if (asked !== this.conversationId) return;
      this.draft.load(preview);
      this.host.learnNames([...preview.hybrid_entries, ...preview.unplaced_items].map((one) => one.name));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "40053") throw error;
      if (asked !== this.conversationId) return;
      this.draft.clear();
      await this.host.showSemester(0);
    }
    this.known = true;
    this.host.draw();
    if (show) await this.host.revealFirst();
  }

  // --- own moves -----------------------------------------------------------------------------------------------------

  /** What the draft now has is kept in this browser until it is saved. */
  keepMoves() {
    const { preview } = this.draft;
    keep("moves", this.draft.dirty && { conversation: this.conversationId, revision: preview.revision, moves: this.draft.changed() });
  }

  /** Own moves from before a reload, while the draft is still the one they were made on. */
  restoreMoves() {
    const own = kept("moves");
    if (own?.conversation !== this.conversationId || own.revision !== this.draft.preview?.revision) return;
    this.draft.restore(own.moves);
    this.host.draw();
    this.saveSoon();
  }

  discardMoves() {
    this.draft.discard();
    this.keepMoves();
    this.host.draw();
  }

  /** The draft saves itself; what could not be saved stays, and the button for it shows. */
  saveSoon() {
    if (this.draft.dirty) this.save();
  }

  /** Saves until nothing is left to save, and answers whether it could; who asks meanwhile waits for the same end. */
  save() {
    this.saving ??= this.saveAll().then(() => true, (error) => this.host.refused(error).then(() => false)).finally(() => {
      this.saving = null;
      this.host.drawDock();
    });
    this.host.drawDock();
    return this.saving;
  }

  async saveAll() {
    while (this.draft.dirty) await this.saveOnce();
  }

  async saveOnce() {
    const moves = this.draft.changed();
    try {
      await postOnce("/agent/schedule-state", { ...this.revised, items: buildItemsFromEntries(moves) });
    } catch (error) {
      this.giveBack(moves, error.data?.conflicts);
      throw error;
    }
    await this.load();
    this.draft.forget(moves);
    this.keepMoves();
    this.host.draw();
  }

  /** What the server does not allow goes back to where it was; what it could not be asked about stays to be saved. */
  giveBack(moves, conflicts = []) {
    const refused = new Set(conflicts.map((one) => one.task_item_id));
    this.draft.forget(moves.filter((move) => refused.has(move.task_item_id)));
    this.keepMoves();
    this.host.draw();
  }

  // --- the draft as a whole ------------------------------------------------------------------------------------------

  /** Places that the server has proposed or shall judge; what it takes is drawn. */
  async place(items) {
    await postOnce("/agent/schedule-state", { ...this.revised, items: items.map(({ task_class_id: _, ...item }) => item) });
    await this.load();
  }

  async pin(entry) {
    const body = { conversation_id: this.conversationId, task_item_ids: [entry.task_item_id] };
    await post(`/agent/draft-${entry.pinned ? "unpin" : "pin"}`, body);
    await this.load();
  }

  /** Takes these changes back and answers what the draft still changes. */
  async drop(ids) {
    const difference = await postOnce("/agent/draft-drop", { ...this.revised, task_item_ids: ids });
    await this.load();
    return difference;
  }

  /** What the draft changes, once own moves are saved; nothing when they cannot be. The days that it does not name are read of the same draft. */
  async difference() {
    if (this.draft.dirty && !(await this.save())) return null;
    const difference = await get(`/agent/draft-diff?conversation_id=${encodeURIComponent(this.conversationId)}`);
    if (difference.revision !== this.draft.preview?.revision) await this.load();
    return difference;
  }

  async throwAway() {
    await this.saving;
    this.discardMoves();
    return postOnce("/agent/schedule-discard", this.revised);
  }

  /** Save own moves, then write the whole difference. */
  async apply() {
    if (this.draft.dirty && !(await this.save())) return null;
    return postOnce("/agent/schedule-apply", this.revised);
  }
}
