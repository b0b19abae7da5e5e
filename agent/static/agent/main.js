// Wires the page together: conversation list, chat, week grid.

import { address, comeTo, pushPath, replaceAddress, weekAsked } from "./address.js";
import { ApiError, get, remove } from "./api.js";
import { ChatPanel } from "./chat/chat-panel.js";
import { ClassPicker } from "./week/class-picker.js";
import { ask } from "./dialog.js";
import { byId, el, live, replace, whileBusy } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./keep.js";
import { PlanPanel } from "./week/plan-panel.js";
import { toast, toastError } from "./toast.js";

/** What this tab keeps in the place of a conversation that was begun anew. */
const NEW = "new";
const NO_CONVERSATION = "40401";
const NO_DRAFT = "40058";
const TICK_MS = 60_000;

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

const picker = new ClassPicker(byId("class-list"));
const plan = new PlanPanel({
  onApplied: () => {
    dispatchEvent(new CustomEvent("timetable:changed")); // another screen may be shown meanwhile
    loadClasses().catch(toastError);
  },
  onAssistant: goToAssistant,
  onPlan: (classId) => {
    picker.choose([classId]);
    chat.suggest(t("bare.wish"));
    goToAssistant();
  },
  onNames: () => chat.redraw(),
  onFailed: fail,
  onConversation: (id) => {
    chat.conversationId = id;
    remember(id);
    listConversations().catch(fail);
  },
});
const chat = new ChatPanel({
  picker,
  onPlan: (show) => plan.keeper.load({ show }).catch(toastError),
  onRunning: (running) => plan.setRunning(running),
  // A run may have made a task class, and it moves its conversation to the top.
  onRunEnd: () => Promise.all([loadClasses(), listConversations()]).catch(fail),
  onConversation: (id) => {
    plan.keeper.conversationId = id;
    remember(id);
    listConversations().catch(fail);
  },
  onFailed: fail,
  onState: (state) => state.draft.task_class_ids?.length && picker.showScope(state.draft.task_class_ids),
  showPlan: () => {
    showScreen("week");
    plan.showFirstSuggestion().catch(toastError);
    byId("plan").scrollIntoView({ behavior: CALM.matches || document.documentElement.dataset.lessMotion === "on" ? "auto" : "smooth", block: "start" });
  },
});

function goToAssistant() {
  if (!byId("message").offsetParent) showScreen("chat");
  byId("chat-tab").click();
  byId("message").focus();
}

async function loadClasses() {
  await picker.load();
  plan.setClasses(picker.classes);
}

/** Another tab or device may have changed what is shown here; looked up when the student comes back to this one. */
let refreshing = false;
let started = false;
async function refresh({ quiet = false } = {}) {
  if (refreshing || document.hidden || !live.isConnected || !started) return;
  refreshing = true;
  try {
    if (!byId("open-failed").hidden && !chat.running) return await openAgain();
    await Promise.all([chat.refresh(), plan.refresh(), loadClasses(), listConversations()]);
  } catch (error) {
    const unreached = error instanceof ApiError && !error.code;
    if (!quiet || !unreached) await fail(error);
  } finally {
    refreshing = false;
  }
}

/** What tells of now goes on while it is looked at; with a new day all of it is looked up, until it has come. */
function tick() {
  if (document.hidden || !live.isConnected || !started || plan.hand.held) return undefined;
  return plan.weeks.hasNewDay() ? refresh({ quiet: true }) : plan.draw();
}

/** The address names the conversation, so a reload or a bookmark comes back to it. */
function remember(id) {
  keep("conversation", id || NEW);
  const url = address();
  if (id) url.searchParams.set("conversation", id);
  else url.searchParams.delete("conversation");
  replaceAddress(url);
}

async function listConversations() {
  const page = await get("/agent/conversations?page=1&page_size=100");
  const select = byId("conversations");
  const id = chat.conversationId;
  const open = page.list.some((one) => one.conversation_id === id) || !id ? [] : [await get(`/agent/conversations/${id}`)];
  replace(select, el("option", { text: t("conversation.new"), attrs: { value: "" } }),
    [...page.list, ...open].map((one) =>
      el("option", { text: one.title || one.conversation_id, attrs: { value: one.conversation_id } })));
  select.value = chat.conversationId;
  byId("delete-conversation").disabled = !chat.conversationId;
}

/** `stay`: the week that is shown was asked for, wherever the draft has its first place. */
async function openConversation(id, { talked = chat.open(id), stay = false } = {}) {
  remember(id);
  byId("classes").open = !id;
  byId("conversations").value = id;
  byId("delete-conversation").disabled = !id;
  await Promise.all([talked, plan.open(id)]);
  await plan.showFirstSuggestion({ stay });
  byId("open-failed").hidden = true;
}

/** What does not open for a passing fault stays the conversation of this tab and is asked for again. */
async function openKept(id, how) {
  try {
    await openConversation(id, how);
  } catch (error) {
    await fail(error);
    if (error.code === NO_CONVERSATION) return;
    plan.draw();
    byId("open-failed").hidden = false;
  }
}

const openAgain = () => openKept(chat.conversationId);

/** Tells what went wrong. What was deleted elsewhere, on another device say, is left for a new conversation. */
async function fail(error, words = "") {
  if (error.code === NO_CONVERSATION) return leaveGone(words);
  toastError(error, (itemId) => plan.draft.handle(itemId)?.name);
  if (error.code === NO_DRAFT) await chat.refresh().catch(fail);
}

/** A new conversation for what was to be said in one that is gone: its words and its classes stay. */
async function leaveGone(words) {
  if (!chat.conversationId) return;
  const chosen = [...picker.chosen];
  await openConversation("");
  picker.choose(chosen);
  if (words && !byId("message").value.trim()) chat.suggest(words);
  toast(t("conversation.gone"));
  await listConversations().catch(toastError);
}

async function deleteConversation() {
  if (!chat.conversationId) return;
  const words = { title: t("conversation.delete_title"), text: t("conversation.delete_text"), action: t("conversation.delete") };
  if (!(await ask({ ...words, danger: true }))) return;
  await remove(`/agent/conversations/${chat.conversationId}`);
  await openConversation("");
  await listConversations();
}

/** Plan or assistant, where there is no room for both; both are one page, so a run goes on. */
function showScreen(name, { quiet = false } = {}) {
  const main = byId("main");
  if (main.classList.contains("chat-first") !== (name === "chat")) {
    main.classList.toggle("chat-first");
    main.scrollTop = name === "chat" ? main.scrollHeight : 0;
  }
  if (live.isConnected) markRail(name);
  nameScreen();
  if (!quiet) pushPath(name === "chat" ? "/chat" : `/week/${plan.weeks.number}`);
}

/** The rail and the title name the same screen. */
function markRail(name) {
  for (const link of document.querySelectorAll(".rail a[href='/week'], .rail a[href='/chat']")) {
    if (link.getAttribute("href") === `/${name}`) {
      link.setAttribute("aria-current", "page");
      document.title = `${link.querySelector("span").textContent} · SmartMate`;
    } else link.removeAttribute("aria-current");
  }
}

/** An item that an address puts into the hand, once. */
function liftAsked({ searchParams }) {
  const item = Number(searchParams.get("item"));
  if (!item) return;
  const url = address();
  url.searchParams.delete("item");
  replaceAddress(url);
  plan.lift(item);
}

/** What an address asks for beyond its screen, once: classes to plan, words to say. */
function takeWishes({ searchParams }) {
  const asked = (searchParams.get("classes") || "").split(",").map(Number).filter(Boolean);
  if (asked.length) picker.choose(asked);
  const words = searchParams.get("message");
  const url = address();
  if (words) {
    chat.suggest(words);
    if (!byId("message").checkVisibility()) { // the week alone has no room for words
      showScreen("chat", { quiet: true });
      url.pathname = "/chat";
    }
  }
  for (const name of ["classes", "message"]) url.searchParams.delete(name);
  replaceAddress(url);
}

/** Shown again, or at another address of its own. A link to the bare screen leads to what was there last. */
async function enter(fresh) {
  const last = comeTo(location.href);
  const url = address();
  const screen = url.pathname.startsWith("/chat") ? "chat" : "week";
  const bare = !url.search && !weekAsked();
  if (bare && fresh) {
    url.search = last.search;
    if (screen === "week" && plan.weeks.semester) url.pathname = `/week/${plan.weeks.number}`;
    replaceAddress(url);
  }
  showScreen(screen, { quiet: true });
  if (!started) return;
  const week = weekAsked();
  if (week && week !== plan.weeks.number) await plan.weeks.turnTo(week, { quiet: true });
  const id = url.searchParams.get("conversation") || "";
  if (id && id !== chat.conversationId) await openKept(id, { stay: Boolean(week) });
  else if (id !== chat.conversationId) remember(chat.conversationId);
  if (!bare && url.href !== last.href) takeWishes(url);
  await refresh();
  liftAsked(url);
}

/** Where the assistant stands alone it gives the screen its name. */
function nameScreen() {
  byId("chat-title").hidden = byId("plan").checkVisibility();
}

function bind() {
  nameScreen();
  window.matchMedia("(max-width: 1180px)").addEventListener("change", nameScreen);
  live.addEventListener("screen:enter", ({ detail }) => enter(detail.fresh).catch(toastError).finally(tellReady));
  live.addEventListener("screen:leave", () => plan.hand.letGo());
  window.addEventListener("focus", refresh);
  document.addEventListener("visibilitychange", refresh);
  window.addEventListener("online", refresh);
  setInterval(tick, TICK_MS);
  byId("start-again").addEventListener("click", () => location.reload());
  byId("open-again").addEventListener("click", (event) => whileBusy(event.currentTarget, openAgain));
  byId("conversations").addEventListener("change", (event) => openKept(event.target.value));
  byId("new-conversation").addEventListener("click", () => openKept("").then(() => byId("message").focus()));
  byId("delete-conversation").addEventListener("click", () => deleteConversation().catch(fail));
  for (const example of live.querySelectorAll("[data-example]")) {
    example.addEventListener("click", () => {
      chat.suggest(example.textContent.trim());
      byId("message").focus();
    });
  }
}

/** The conversation to begin with: the one of the address or of this tab, else the one used last, whose draft waits. */
async function firstConversation({ searchParams }) {
  const named = searchParams.get("conversation");
  if (named || searchParams.has("classes") || searchParams.has("message")) return named || "";
  const before = kept("conversation");
  if (before) return before === NEW ? "" : before;
  const { list: [last] } = await get("/agent/conversations?page=1&page_size=1");
  return last?.conversation_id || "";
}

/** What can be asked without knowing an answer is asked at the same time. */
async function start() {
  live.dataset.started = "";
  bind();
  const asked = address();
  const planned = plan.start();
  chat.ready = planned.catch(() => {});
  const id = await firstConversation(asked);
  const talked = chat.open(id);
  const listed = listConversations();
  for (const early of [planned, talked, listed]) early.catch(() => {}); // told where it is waited for
  await Promise.all([planned, picker.load()]);
  plan.setClasses(picker.classes);
  await openKept(id, { talked, stay: Boolean(weekAsked()) });
  takeWishes(asked);
  await listed.catch(() => listConversations());
  started = true;
  liftAsked(asked);
  tellReady();
}

function tellReady() {
  if (started && live.isConnected) document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  toastError(error);
  byId("start-failed").hidden = false;
  byId("plan-summary").textContent = "";
});
