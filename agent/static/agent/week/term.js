// The dates and clock times of the term, for whoever names a place.

import { monthName, placeText, t, weekday } from "../i18n.js";

let term = null;

/** `semester` as the API answers it. */
export function rememberTerm(semester) {
  term = semester;
}

/** "10 月 23 日 周五 19:00–20:40" of a place; week and sections before the term is known. An exam has a clock of its own. */
export function whenWords(place) {
  if (!term) return placeText(place);
  if (place.type === "exam") return t("when", { ...dayValues(place), from: place.start_time, to: place.end_time });
  const from = term.section_times[(place.section_from ?? place.start_section) - 1][0];
  const to = term.section_times[(place.section_to ?? place.end_section) - 1][1];
  return t("when", { ...dayValues(place), from, to });
}

function dayValues({ week, day_of_week: day }) {
  const date = new Date(`${term.first_monday}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + (week - 1) * 7 + day - 1);
  return { month: monthName(date.getUTCMonth() + 1), day: date.getUTCDate(), weekday: weekday(day) };
}

const ZH_DAYS = "一二三四五六日";
const EN_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** The date that may stand behind a day or its sections: it is told anyway. */
const DATE = String.raw`(?:\s?[（(](?:\d{1,2} ?月 ?\d{1,2} ?日|\d{1,2} [A-Z][a-z]{2})[）)])?`;
/** "第7周 周三 7-8节" and "wk 7 Wed, sections 7-8", as planner and models name places; the sections may be left out. */
const NAMED = [
  new RegExp(String.raw`第\s?(\d{1,2})\s?周\s?(?:的\s?)?周([一二三四五六日])${DATE}(?:[ ，,]?\s?第?(\d{1,2})(?:\s?[-–~到至]\s?(\d{1,2}))?\s?节)?${DATE}`, "g"),
  new RegExp(String.raw`\b(?:week|wk)\s(\d{1,2}),?\s(mon|tue|wed|thu|fri|sat|sun)[a-z]*${DATE}(?:,?\s(?:sections?|periods?)\s(\d{1,2})(?:[-–](\d{1,2}))?|,?\s(\d{1,2})[-–](\d{1,2})|\s(\d{1,2})(?!:?\d| (?!to|and|or)[a-z]))?${DATE}`, "gi"),
];
/** Further sections of a day that was named: "：1-2节 高数、3-4节 英语", ": 1-2 Calculus, 3-4 English". */
const FURTHER = /(?<![\d:–])(\d{1,2})[-–](\d{1,2})\s?节|(?<=[:,] )(\d{1,2})[-–](\d{1,2})(?![\d:–%])/g;

const QUOTED = '「[^」]*」|“[^”]*”|"[^"\\n]*"';
const names = new Set();

/** Names of items, tasks and courses: one that spells a place itself stays as it is. Tells whether one of them was not known. */
export function rememberNames(found) {
  const before = names.size;
  for (const name of found) if (name && [...NAMED, BARE_DATE].some((pattern) => name.search(pattern) >= 0)) names.add(name);
  return names.size > before;
}

/** A text with the places that it names by week and section told by date and clock, where the term has them; names are left alone. */
export function dated(text) {
  if (!term || typeof text !== "string") return text;
  const known = [...names].filter((name) => text.includes(name)).sort((one, other) => other.length - one.length);
  const kept = new RegExp(`(${[...known.map(escaped), QUOTED].join("|")})`);
  return text.split(kept).map((part, index) => (index % 2 ? part : placesDated(part))).join("");
}

const escaped = (name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** "从第7周 周三 3-4 节移到周六 1-2 节": the week that is not said again. */
const SAME_WEEK = /(第\s?(\d{1,2})\s?周[^第移]*移到)(?=周[一二三四五六日])/g;
/** 11月30日 as the page writes it. */
const BARE_DATE = /(?<![\d年])(\d{1,2})月(\d{1,2})日/g;
const HAN = /\p{Script=Han}/u;
const gap = (beside) => (HAN.test(beside || "") ? " " : "");

function placesDated(text) {
  return text.split("\n").map(lineDated).join("\n").replace(BARE_DATE, (words, month, day, at, whole) =>
    `${gap(whole[at - 1])}${month} 月 ${day} 日${gap(whole[at + words.length])}`);
}

function lineDated(line) {
  const told = daysDated(line);
  return told === line ? line : told.replace(FURTHER, (words, ...found) => {
    const [from, to] = found.slice(0, 4).filter(Boolean).map((section) => term.section_times[section - 1]);
    return from && to ? `${from[0]}–${to[1]}` : words;
  });
}

function daysDated(text) {
  return NAMED.reduce((told, pattern) => told.replace(pattern, (words, week, day, ...rest) => {
    const [at, whole] = rest.slice(-2);
    const place = { week: Number(week), day_of_week: (ZH_DAYS.indexOf(day) + 1) || EN_DAYS.indexOf(day.toLowerCase()) + 1 };
    const [from, to = from] = rest.slice(0, -2).filter(Boolean).map(Number);
    const inTerm = place.week >= 1 && place.week <= term.weeks && (!from || (term.section_times[from - 1] && term.section_times[to - 1]));
    if (!inTerm) return words;
    const when = from ? whenWords({ ...place, section_from: from, section_to: to }) : t("date.weekday", dayValues(place));
    return gap(whole[at - 1]) + when + gap(whole[at + words.length]);
  }), text.replace(SAME_WEEK, "$1第$2周 "));
}

/** The same for all that is written below a node. */
export function dateTexts(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker;
    const words = dated(text.data);
    if (words !== text.data) text.data = words;
  }
}
