// Texts of the page, rendered by the template from the message catalogue into one JSON block.

const config = JSON.parse(document.getElementById("page-config").textContent);

export const locale = config.locale;
export const user = config.user;

/** The text of a key with `{name}` placeholders filled; an unknown key shows itself. */
export function t(key, values = {}) {
  const pattern = config.strings[key] ?? key;
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export function weekday(day) {
  return t(`weekday.${day}`);
}

/** The month as a date names it. */
export function monthName(month) {
  return t(`month.${month}`);
}

/** "Wk 7 Wed, 3-4" in the page's language. */
export function placeText(place) {
  return t("place", {
    week: place.week,
    weekday: weekday(place.day_of_week),
    from: place.section_from ?? place.start_section,
    to: place.section_to ?? place.end_section,
  });
}

/** What was said, then the rest of it. */
export function told(words, more) {
  return t("told", { words, more });
}

export function ruleText(rule) {
  return rule ? t(`rule.${rule}`) : t("rule.none");
}
