// The bar below the week: what the draft changes in all, and its buttons; the last change of the timetable is undone here.

import { get, postOnce } from "../../api.js";
import { ask } from "../../dialog.js";
import { byId, isBusy, whileBusy } from "../../dom.js";
import { t, told } from "../../i18n.js";
import { dropAsking, toast } from "../../toast.js";
import { keepFocus } from "../keep-focus.js";
import { ReviewSheet } from "./review-sheet.js";

export class Dock {
  /** `host` offers: look(), week(), opening(), savedSectionsOn(day), reload(), applied(), refused(error). */
  constructor(draft, keeper, host) {
    Object.assign(this, { draft, keeper, running: false, busy: false, lastBatch: null });
    this.host = { ...host, refused: (error) => this.refused(error, host) };
    this.review = new ReviewSheet(byId("review"), {
      ...this.host,
      drop: (ids) => this.drop(ids),
      apply: () => this.apply().then(() => byId("review").close()).catch(this.host.refused).then(keepFocus),
      discard: () => this.throwAway(),
    });
    this.bindButtons();
  }

  bindButtons() {
    byId("save").addEventListener("click", (event) => this.guard(event, () => this.keeper.save()));
    byId("review-open").addEventListener("click", (event) => this.guard(event, () => this.openReview()));
    byId("discard").addEventListener("click", () => this.discardMoves());
    byId("throw-away").addEventListener("click", () => this.throwAway());
    byId("apply").addEventListener("click", (event) => this.guard(event, () => this.apply()));
    byId("undo").addEventListener("click", (event) => this.guard(event, () => this.undo()));
  }

  /** Pressed again while it is at work, it does nothing. */
  async guard(event, work) {
    if (isBusy(event.currentTarget)) return;
    this.busy = true;
    byId("undo").disabled = true; // what it takes back may just be changing
    await whileBusy(event.currentTarget, () => work().catch(this.host.refused));
    this.busy = false;
    this.render();
    keepFocus();
  }

  /** Told in the week: a sheet over it would hide the words and what they are about. */
  refused(error, host) {
    byId("review").close();
    return host.refused(error);
  }

  // --- what it shows -------------------------------------------------------------------------------------------------

  render() {
    const { differs } = this.draft;
    const waiting = this.draft.dirty && !this.keeper.saving;
    byId("save").hidden = !waiting;
    byId("save").disabled = !waiting;
    byId("discard").hidden = !waiting;
    byId("review-open").hidden = !differs;
    byId("apply").disabled = !this.draft.exists || this.running || !differs;
    byId("apply").hidden = byId("throw-away").hidden = !this.draft.exists || !differs;
    byId("undo").disabled = !this.lastBatch || this.busy;
    byId("undo").hidden = !this.lastBatch;
    byId("undo").textContent = isApply(this.lastBatch) ? t("undo.apply") : t("undo.change", { change: changeWords(this.lastBatch) });
    byId("dock").className = `dock ${waiting ? "refused" : this.draft.exists && differs ? "draft" : ""}`;
    this.renderBadge(this.draft.preview?.difference.changed ?? 0);
    const words = this.summary();
    if (byId("plan-summary").textContent !== words) byId("plan-summary").textContent = words;
  }

  /** How much the draft changes, beside the name of the week; read aloud a bare number would be that of a week. */
  renderBadge(changes) {
    const count = document.getElementById("draft-count");
    if (!count) return;
    count.hidden = !changes;
    count.textContent = changes > 99 ? "99+" : changes || "";
    document.getElementById("draft-words").textContent = changes ? t("review.count", { count: changes }) : "";
  }

  /** The week that is on its way; else how much the draft changes, and whether it is saved; "" until it is known whether there is one. */
  summary() {
    const opening = this.host.opening();
    if (opening) return t("plan.opening", { week: opening });
    if (!this.draft.exists) return this.keeper.known ? t("plan.none") : "";
    const { new: added, moved, removed } = this.draft.preview.difference;
    const counts = [["new", added], ["moved", moved], ["removed", removed]].filter(([, rows]) => rows.length)
      .map(([kind, rows]) => t(`dock.${kind}`, { count: rows.length }));
    const unplaced = this.draft.unplaced().length;
    return [
      counts.length ? told(t("dock.draft"), counts.join(t("comma"))) : !this.draft.dirty && t("dock.same"),
      unplaced > 0 && t("dock.unplaced", { count: unplaced }),
      this.draft.dirty ? t(this.keeper.saving ? "dock.saving" : "plan.unsaved", { count: this.draft.moves.size }) : counts.length > 0 && t("saved"),
    ].filter(Boolean).join(" · ");
  }

  // --- what its buttons do -------------------------------------------------------------------------------------------

  async openReview() {
    const difference = await this.keeper.difference();
    if (difference) this.review.show(difference);
  }

  /** Leaves changes out of the draft; a review that is open shows what is left of them. */
  async drop(ids) {
    try {
      const difference = await this.keeper.drop(ids);
      if (difference.changed && byId("review").open) this.review.show(difference);
      else byId("review").close();
      keepFocus();
    } catch (error) {
      await this.host.refused(error);
    }
  }

  discardMoves() {
    this.keeper.discardMoves();
    byId("week-grid").focus({ preventScroll: true });
  }

  async throwAway() {
    try {
      const count = this.draft.preview.difference.changed + this.draft.moves.size;
      if (!(await ask({ title: t("review.discard_title"), text: t("review.discard_text", { count }), action: t("review.discard"), danger: true }))) return void keepFocus();
      const answer = await this.keeper.throwAway();
      byId("week-grid").focus({ preventScroll: true });
      byId("review").close();
      dropAsking();
      toast(t("discarded", { count: answer.discarded }), "success");
      await this.host.reload();
    } catch (error) {
      await this.host.refused(error);
    }
  }

  async apply() {
    const answer = await this.keeper.apply();
    if (!answer) return;
    const count = answer.applied.length + answer.moved.length + answer.removed.length;
    await this.host.reload();
    const batch = { batch_id: answer.batch_id, source: APPLY, conversation_id: this.keeper.conversationId };
    toast(t(answer.batch_id ? "applied" : "applied.nothing", { count }), "success", [],
      answer.batch_id ? [{ label: t("action.undo"), run: () => this.undo(batch).catch(this.host.refused) }] : []);
    this.host.applied();
  }

  async undo(batch = this.lastBatch) {
    if (!batch) return;
    const answer = await postOnce(`/schedule/batches/${batch.batch_id}/undo`);
    this.lastBatch = null;
    await this.host.reload();
    const count = answer.task_item_ids.length;
    const elsewhere = batch.source === APPLY && batch.conversation_id && batch.conversation_id !== this.keeper.conversationId;
    const again = { label: t("action.redo"), run: () => this.apply().catch(this.host.refused) };
    const there = { label: t("undone.open"), run: () => location.assign(`/week?conversation=${batch.conversation_id}`) };
    toast(isApply(batch) ? t("undone", { count }) : told(t("undone.whole"), changeWords(batch)), "success", elsewhere ? [t("undone.elsewhere")] : [],
      elsewhere ? [there] : isApply(batch) && this.draft.differs ? [again] : []);
    this.host.applied();
  }

  async refreshBatches() {
    const page = await get("/schedule/batches?page=1");
    // The button beside the draft takes items back; an import is undone where courses are.
    this.lastBatch = page.list.find((batch) => batch.can_undo && (batch.changes.length || batch.source === "class-delete")) ?? null;
  }
}

const APPLY = "schedule-apply";

function isApply(batch) {
  return !batch || [APPLY, "apply-batch"].includes(batch.source);
}

/** What an undoable batch changed, as a student calls it. */
function changeWords(batch) {
  return t(`batch.${batch.source}`);
}
