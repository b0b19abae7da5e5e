// The dates and clock times of the term, for whoever names a place.

import { placeText, t, weekday } from "../i18n.js";

let term = null;

/** `semester` as the API answers it. */
export function rememberTerm(semester) {
  term = semester;
}

/** "10 月 23 日 周五 19:00–20:40" of a place; week and sections before the term is known. */
export function whenWords(place) {
  if (!term) return placeText(place);
  const date = new Date(`${term.first_monday}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + (place.week - 1) * 7 + place.day_of_week - 1);
  const from = term.section_times[(place.section_from ?? place.start_section) - 1][0];
  const to = term.section_times[(place.section_to ?? place.end_section) - 1][1];
  return t("when", { month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday: weekday(place.day_of_week), from, to });
}
