// What a task class allows, as far as the page can know it. Pure, no DOM.

const DAY_MS = 86_400_000;

export class ClassRules {
  /** `semester` and `classes` as the API answers them. */
  constructor(semester, classes) {
    this.semester = semester;
    this.classes = new Map(classes.map((one) => [one.id, one]));
  }

  /**
   * The first rule a place breaks for an item of the class, "" when none; `inCourse`: it would be embedded.
   * `now` is the first cell of the draft that had not begun, null when the past is open.
   */
  broken(classId, place, { inCourse, now }) {
    if ((this.semester.closed_days || []).some((day) => isOn(place, day))) return "closed_day";
    const one = this.classes.get(classId);
    if (one && !this.inDates(one, place)) return "outside_class_window";
    if (now && isBefore(place, now)) return "in_the_past";
    if (!one) return "";
    if (one.excluded_days_of_week.includes(place.day_of_week)) return "excluded_weekday";
    for (let section = place.section_from; section <= place.section_to; section += 1) {
      if (one.excluded_slots.includes(Math.ceil(section / 2))) return "excluded_block";
    }
    const closed = (one.excluded_cells || []).filter((cell) => cell.day_of_week === place.day_of_week);
    const [first, last] = [Math.ceil(place.section_from / 2), Math.ceil(place.section_to / 2)];
    if (closed.some((cell) => first <= cell.block && cell.block <= last)) return "excluded_cell";
    return inCourse && !one.allow_filler_course ? "filler_not_allowed" : "";
  }

  inDates(one, place) {
    const days = (place.week - 1) * 7 + place.day_of_week - 1;
    const date = new Date(Date.parse(`${this.semester.first_monday}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
    return (!one.start_date || one.start_date <= date) && (!one.end_date || date <= one.end_date);
  }
}

function isOn(place, day) {
  return place.week === day.week && place.day_of_week === day.day_of_week;
}

function isBefore(place, now) {
  return (place.week - now.week || place.day_of_week - now.day_of_week || place.section_from - now.section) < 0;
}
