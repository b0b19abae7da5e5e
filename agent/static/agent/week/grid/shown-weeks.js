// Which week and which days of it are shown, and what the server has said of each week so far.

import { goToWeek, weekAsked } from "../../address.js";
import { get } from "../../api.js";
import { rememberTerm } from "../term.js";
import { toastError } from "../../toast.js";

const WEEK_MS = 7 * 24 * 3600 * 1000;
/** A week that is there sooner is not told to be on its way. */
const SOON_MS = 300;

export class ShownWeeks {
  /** `onDraw()`: another week, other days or newer data are to be drawn; `onOpening()`: `opening` has changed. */
  constructor(onDraw, onOpening) {
    Object.assign(this, { onDraw, onOpening, opening: 0, semester: null, number: 1, wanted: 1, days: narrow() ? 3 : 7, firstDay: 1 });
    this.answers = new Map();
    this.terms = new Map();
    /** The semester that was asked for; 0 for the student's current one. */
    this.semesterId = 0;
  }

  /** Asks about the shown semester. */
  ask(path) {
    return get(this.semesterId ? `${path}${path.includes("?") ? "&" : "?"}semester_id=${this.semesterId}` : path);
  }

  /** Shows the weeks of a semester, 0 for the current one; tells whether that is another one than before. */
  async showSemester(id) {
    if (!this.semester || id === this.semesterId || (!this.semesterId && id === this.semester.id)) return false;
    this.semesterId = id;
    const semester = await this.ask("/schedule/semester");
    if (this.semesterId !== id) return false;
    this.learn(semester);
    this.answers = new Map();
    await Promise.all([this.loadTerm(), this.setWeek((id && weekAsked()) || semester.today?.week || 1)]);
    return true;
  }

  /** What the server has said of the shown week. */
  get shown() {
    return this.answers.get(this.number);
  }

  get sections() {
    return this.semester.section_times.length;
  }

  /** The weekday that is today; 0 while another week is shown. */
  get todayShown() {
    const { today } = this.semester;
    return today?.week === this.number ? today.day_of_week : 0;
  }

  /** Everything is asked at once, with what is asked `beside`; the week that the address names, else the current one. */
  async start(beside) {
    const asked = weekAsked();
    const current = () => get("/schedule/week");
    const week = asked ? get(`/schedule/week?week=${asked}`).catch(current) : current();
    const [semester, shown] = await Promise.all([get("/schedule/semester"), week, beside, this.loadTerm()]);
    this.learn(semester);
    const { today } = semester;
    if (this.days < 7 && today?.week === shown.week) this.firstDay = today.day_of_week;
    this.answers.set(shown.week, shown);
    await this.setWeek(shown.week);
  }

  async refresh() {
    this.learn(await this.ask("/schedule/semester"));
  }

  learn(semester) {
    const end = Date.parse(semester.first_monday) + semester.weeks * WEEK_MS;
    this.semester = { ...semester, over: !semester.today && end <= Date.now() };
    this.learntOn = this.date();
    rememberTerm(semester);
  }

  /** The load, the exams and the days off of every week. */
  async loadTerm() {
    const term = await this.ask("/schedule/term").catch(() => null);
    this.terms = new Map((term?.weeks || []).map((one) => [one.week, one]));
  }

  /** The week that is shown stays until the new one is there, and what is loaded `beside` it; the loads of the term go with it. */
  async reload(beside) {
    // The semester may have become shorter, or another one.
    const week = Math.min(this.number, this.semester.weeks);
    const [shown] = await Promise.all([this.ask(`/schedule/week?week=${week}`), beside, this.loadTerm()]);
    this.answers = new Map([[week, shown]]);
    await this.setWeek(this.wanted);
  }

  // --- the week ------------------------------------------------------------------------------------------------------

  /** The shown week changes with its data; of several turns the last one counts. */
  async setWeek(week) {
    const wanted = Math.min(this.semester.weeks, Math.max(1, week));
    this.wanted = wanted;
    if (this.opening !== wanted) this.opening = 0;
    if (!this.answers.has(wanted)) {
      const { answers } = this;
      answers.set(wanted, await this.tellingLate(wanted, this.ask(`/schedule/week?week=${wanted}`)));
    }
    if (this.wanted !== wanted) return;
    this.number = wanted;
    this.onDraw();
  }

  /** What is asked for; `opening` names the week while it is not there. */
  async tellingLate(week, asked) {
    const tell = (opening) => {
      this.opening = opening;
      this.onOpening();
    };
    const timer = setTimeout(() => this.wanted === week && tell(week), SOON_MS);
    try {
      return await asked;
    } finally {
      clearTimeout(timer);
      if (this.opening === week) tell(0);
    }
  }

  async turnTo(week, { quiet = false } = {}) {
    try {
      await this.setWeek(week);
      if (!quiet) goToWeek(this.number);
    } catch (error) {
      this.wanted = this.number;
      toastError(error);
    }
  }

  turnBy(weeks) {
    return this.turnTo(this.wanted + weeks);
  }

  async showToday() {
    const { today } = this.semester;
    if (!today) return;
    this.firstDay = this.days < 7 ? today.day_of_week : 1;
    await this.turnTo(today.week);
    this.onDraw();
  }

  // --- its days ------------------------------------------------------------------------------------------------------

  shownDays() {
    const last = Math.min(7, this.firstDay + this.days - 1);
    const first = Math.max(1, last - this.days + 1);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  showDays(days) {
    this.days = days;
    this.firstDay = (days < 7 && this.todayShown) || 1;
    this.onDraw();
  }

  /** The days from this one on, of the shown week. */
  showFrom(day) {
    this.firstDay = Math.min(day, 8 - this.days);
    this.onDraw();
  }

  /** The days beside those that are shown, in the week beside when this one ends. */
  async turnDays(step) {
    const first = this.firstDay + step * this.days;
    const inside = this.days < 7 && first > 1 - this.days && first <= 7;
    if (inside) return this.showFrom(Math.max(1, first));
    const before = this.number;
    this.firstDay = step > 0 ? 1 : 8 - this.days;
    await this.turnTo(this.number + step);
    if (this.number === before) this.firstDay = step > 0 ? 8 - this.days : 1;
    return this.onDraw();
  }

  // --- time ----------------------------------------------------------------------------------------------------------

  /** "14:05" where the term is taught. */
  clock() {
    const { time_zone: timeZone } = this.semester;
    return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(new Date());
  }

  /** "21/10/2026" there. */
  date() {
    return new Intl.DateTimeFormat("en-GB", { timeZone: this.semester.time_zone }).format(new Date());
  }

  /** Whether a day has begun since it was last asked which one it is. */
  hasNewDay() {
    return this.learntOn !== this.date();
  }

  hasBegun(entry) {
    const { today, over, section_times: times } = this.semester;
    if (!today) return over;
    const days = (entry.week - today.week) * 7 + entry.day_of_week - today.day_of_week;
    return days < 0 || (days === 0 && times[entry.section_from - 1][0] <= this.clock());
  }

  /** How many sections of the shown week can still be used: not begun, nothing there, the student studies that day. */
  countFree(entries) {
    const { days = [], kept_free: keptFree = [] } = this.shown || {};
    const off = days.filter((day) => !day.study_allowed).map((day) => ({ ...day, section_from: 1, section_to: this.sections }));
    const taken = [...entries.filter((entry) => entry.type !== "fallen"), ...keptFree, ...off];
    const isFree = (day, section) => !this.hasBegun({ week: this.number, day_of_week: day, section_from: section })
      && !taken.some((one) => one.day_of_week === day && one.section_from <= section && section <= one.section_to);
    const sections = Array.from({ length: this.sections }, (_, index) => index + 1);
    return [1, 2, 3, 4, 5, 6, 7].reduce((sum, day) => sum + sections.filter((section) => isFree(day, section)).length, 0);
  }
}

function narrow() {
  return window.matchMedia("(max-width: 860px)").matches;
}
