// What stands around the grid: the title of the week, how many days are chosen, and the doors of a week without a plan.

import { byId, live } from "../../dom.js";
import { monthName, t } from "../../i18n.js";
import { dateOf } from "./grid.js";

/** The name of a semester; one that nobody chose in the language of the page. */
function termWords(name) {
  const [, year, season] = name.match(/^(\d{4}) ([春秋])$/) || [];
  return year ? t(season === "春" ? "term.spring" : "term.autumn", { year }) : name;
}

/** A semester that is not the current one is named. */
export function drawTitle({ id, name, current, today }, week, firstDate) {
  byId("week-title").textContent = t("grid.week", { week });
  byId("week-today").hidden = !today;
  byId("print-week").search = current ? `?week=${week}` : `?week=${week}&semester_id=${id}`;
  if (!firstDate) return;
  const [from, to] = [dateOf(firstDate, 0), dateOf(firstDate, 6)];
  const words = (key, date) => t(key, { month: monthName(date.getUTCMonth() + 1), day: date.getUTCDate() });
  const end = words(from.getUTCMonth() === to.getUTCMonth() ? "date.day" : "date", to);
  const parts = [!current && termWords(name), `${words("date", from)} – ${end}`, t(week % 2 ? "week.odd" : "week.even")];
  byId("week-dates").textContent = parts.filter(Boolean).join(" · ");
}

export function drawDays(days) {
  for (const choice of live.querySelectorAll("[data-days]")) choice.setAttribute("aria-pressed", String(Number(choice.dataset.days) === days));
}

/** Where nothing was ever planned: what there is, and the doors that lead on. */
export function drawDoors({ hidden, entries, classes, countFree }) {
  byId("bare").hidden = hidden;
  if (hidden) return;
  const lessons = entries.filter((entry) => entry.type === "course");
  const ids = classes.filter((one) => one.mode === "auto").map((one) => one.id);
  const there = lessons.length
    ? t("bare.lessons", { count: new Set(lessons.map((one) => one.name)).size, free: countFree(entries) }) : t("bare.no_lessons");
  byId("bare-words").textContent = there;
  byId("bare-next").textContent = t(ids.length ? "bare.plan" : "bare.write");
  byId("bare-plan").hidden = !ids.length;
  byId("bare-plan").href = `/chat?classes=${ids.join(",")}&message=${encodeURIComponent(t("bare.wish"))}`;
  byId("bare-task").classList.toggle("primary", !ids.length);
  byId("bare-import").hidden = lessons.length > 0 && ids.length > 0;
}
