// Where one item may go, as the server judged every place of the term. Nothing is judged here. Pure, no DOM.

/** While the server has not answered, or cannot be reached: a drop is tried, and the save has the last word. */
export const UNKNOWN = { state: "unknown", host: 0, swap: 0, reasons: [], rules: [] };
const STATES = { legal: "ok", warned: "warned", refused: "bad" };

export class LegalPlaces {
  /** `answer` as POST /agent/legal-places gives it. */
  constructor(answer) {
    this.itemId = answer.task_item_id;
    this.answer = answer;
    this.swaps = new Map(answer.swaps.map((one) => [keyOf(one, one.section), one.task_item_id]));
  }

  /** {state: ok, warned or bad, host, swap, reasons: sentences, rules}; `swap` is the item that comes in return. */
  verdict(place) {
    const { weeks, verdicts, reasons } = this.answer;
    const found = verdicts[weeks[place.week - 1]?.cells[place.day_of_week - 1]?.[place.section_from - 1]];
    if (!found) return { ...UNKNOWN, state: "bad" };
    const swap = found.kind === "refused" ? this.swaps.get(keyOf(place, place.section_from)) || 0 : 0;
    const told = found.reasons.map((number) => reasons[number]);
    return {
      state: swap ? "ok" : STATES[found.kind], host: found.embed_course_event_id, swap,
      reasons: told.map((one) => one.message), rules: told.map((one) => one.rule),
    };
  }

  /** The weeks that can take it. */
  weeks() {
    return new Set([...this.answer.weeks.filter((one) => one.legal).map((one) => one.week), ...this.answer.swaps.map((one) => one.week)]);
  }
}

function keyOf(place, section) {
  return `${place.week}:${place.day_of_week}:${section}`;
}
