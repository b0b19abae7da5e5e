// The timeline as data: events of a run and stored items both become the same list of blocks.

import { t } from "../i18n.js";

const OPEN_TOOL = new Set(["preparing", "start", "running"]);
/** Views of the steps that write. */
const WRITES = new Set(["schedule.operation_result", "taskclass.write_result"]);

/** Blocks in true order. `onChange(block)`, `onRemove(key)` report each change to whoever draws. */
export class TimelineModel {
  constructor({ onChange, onRemove }) {
    this.onChange = onChange;
    this.onRemove = onRemove;
    this.blocks = new Map();
  }

  clear() {
    for (const key of [...this.blocks.keys()]) this.remove(key);
  }

  addUser(text, runId = "") {
    return this.put({ key: `user:${crypto.getRandomValues(new Uint32Array(1))[0]}`, kind: "user", run_id: runId, text });
  }

  /** What the student said for a run, or said last. */
  lastSaid(runId) {
    const said = [...this.blocks.values()].filter((block) => block.kind === "user");
    return (said.filter((block) => block.run_id === runId).at(-1) || said.at(-1))?.text || "";
  }

  /** What a run left behind when it failed: `wrote` something, `resumes` where it stopped. */
  leftBy(runId) {
    const own = [...this.blocks.values()].filter((block) => block.run_id === runId);
    return {
      wrote: own.some(({ kind, fields }) => kind === "tool" && fields.status === "done" && WRITES.has(fields.result_view?.view_type)),
      resumes: own.some(({ kind, fields }) => kind === "question" && typeOfQuestion(fields) === "connection_recover"),
    };
  }

  addNotice(kind, text) {
    this.put({ key: `notice:${this.blocks.size}:${text}`, kind, run_id: "", text, fields: {} });
  }

  put(block) {
    const present = this.blocks.get(block.key);
    const merged = present ? Object.assign(present, block) : block;
    this.blocks.set(block.key, merged);
    this.onChange(merged);
    return merged;
  }

  remove(key) {
    if (this.blocks.delete(key)) this.onRemove(key);
  }

  /** Apply one event of a live run; answers the block it is about, if any is left. */
  apply(event) {
    const handler = HANDLERS[event.kind];
    if (!handler) return undefined;
    const key = `${event.run_id}:${event.block_id}`;
    if (TAKES_STATUS_PLACE.has(event.kind)) this.dropStatus(event.run_id, event.stage);
    handler(this, event, key);
    if (LEAVES_WAITING.has(event.kind)) this.wait(event.run_id);
    return this.blocks.get(key);
  }

  /** Nothing is being said or done now: the model has yet to say its next word, which may take a while. */
  wait(runId) {
    this.dropStatus(runId, "");
    this.put({ key: `${runId}:waiting`, kind: "status", run_id: runId, stage: "", text: t("run.waiting"), open: true, fields: {} });
  }

  /** Add one stored timeline item (api: timeline). */
  addItem(item) {
    const key = item.kind === "user_text" ? `seq:${item.seq}` : `${item.run_id}:${item.block_id}`;
    const kind = KIND_OF_ITEM[item.kind];
    if (kind) this.put({ key, kind, run_id: item.run_id, text: item.content, fields: item.payload, open: false });
  }

  /** Items of before all that is here, whose cards stay as they are. */
  putBefore(items, openInteraction) {
    const later = this.blocks;
    this.blocks = new Map();
    for (const item of items) this.addItem(item);
    this.settleAllBut(openInteraction);
    for (const [key, block] of later) this.blocks.set(key, block);
  }

  dropStatus(runId, stage) {
    for (const block of [...this.blocks.values()]) {
      if (block.kind === "status" && block.run_id === runId && (!stage || !block.stage || block.stage === stage)) this.remove(block.key);
    }
  }

  /** Mark the open card of an interaction; without `answer` it is simply closed. */
  settle(interactionId, status, answer) {
    for (const block of this.blocks.values()) {
      if (block.fields?.interaction_id === interactionId) {
        block.fields = { ...block.fields, status, answer };
        this.onChange(block);
      }
    }
  }

  /** Cards whose interaction is not the open one are drawn closed. */
  settleAllBut(interactionId) {
    for (const block of this.blocks.values()) {
      const own = block.fields?.interaction_id;
      if (own && own !== interactionId && (block.fields.status ?? "open") === "open") this.settle(own, "superseded", null);
    }
  }

  /** A new message leaves what could have been taken up again. */
  closeOffers() {
    for (const { kind, fields } of this.blocks.values()) {
      const open = kind === "question" && (fields.status ?? "open") === "open";
      if (open && typeOfQuestion(fields) === "connection_recover") this.settle(fields.interaction_id, "superseded", null);
    }
  }

  /** A reader that was cut for too long gets the run folded: draw it anew. */
  reset(event) {
    for (const block of [...this.blocks.values()]) {
      if (block.run_id === event.run_id && block.kind !== "user") this.remove(block.key);
    }
    const { items, open_block: open } = event.fields;
    for (const item of items.filter((entry) => entry.kind !== "user_text")) this.addItem(item);
    if (open) {
      const kind = open.kind.startsWith("reasoning") ? "reasoning" : "text";
      this.put({ key: `${event.run_id}:${open.block_id}`, kind, run_id: event.run_id, text: open.content, open: true, fields: {} });
    }
  }
}

const LEAVES_WAITING = new Set(["thinking_end", "text_end", "tool_dropped", "tool_result", "interaction_resolved"]);

export function typeOfQuestion(fields) {
  return fields.type || fields.interaction_type;
}

const KIND_OF_ITEM = {
  user_text: "user", reasoning_text: "reasoning", assistant_text: "text", tool_result: "tool",
  confirm_request: "confirm", interrupt: "question", schedule_completed: "schedule",
  system_message: "system", error: "error",
};

const TAKES_STATUS_PLACE = new Set([
  "status", "thinking_start", "text_start", "tool_preparing", "tool_call", "confirm_request", "interrupt",
]);

function openBlock(kind) {
  return (model, event, key) => model.put({ key, kind, run_id: event.run_id, stage: event.stage, text: "", open: true, fields: {} });
}

function appendText(kind) {
  return (model, event, key) => {
    const text = (model.blocks.get(key)?.text ?? "") + event.text;
    model.put({ key, kind, run_id: event.run_id, stage: event.stage, text, open: true });
  };
}

function closeText(kind) {
  return (model, event, key) => {
    if (event.fields.superseded) return model.remove(key);
    return model.put({ key, kind, run_id: event.run_id, text: event.fields.full_content, open: false, fields: event.fields });
  };
}

function tool(status) {
  return (model, event, key) => {
    const fields = { ...(model.blocks.get(key)?.fields || {}), ...event.fields };
    fields.status = status || event.fields.status;
    model.put({ key, kind: "tool", run_id: event.run_id, stage: event.stage, fields, open: OPEN_TOOL.has(fields.status) });
  };
}

function card(kind, text) {
  return (model, event, key) =>
    model.put({ key, kind, run_id: event.run_id, text: text(event.fields), fields: { status: "open", answer: null, ...event.fields } });
}

const HANDLERS = {
  status: (model, event, key) =>
    model.put({ key, kind: "status", run_id: event.run_id, stage: event.stage, text: event.fields.summary, open: true, fields: event.fields }),
  thinking_start: openBlock("reasoning"),
  reasoning_text: appendText("reasoning"),
  thinking_end: closeText("reasoning"),
  text_start: openBlock("text"),
  assistant_text: appendText("text"),
  text_end: closeText("text"),
  tool_preparing: tool("preparing"),
  tool_intent: tool("preparing"),
  tool_dropped: (model, event, key) => model.remove(key),
  tool_call: tool("start"),
  tool_progress: tool("running"),
  tool_result: tool(""),
  confirm_request: card("confirm", (fields) => fields.summary),
  interrupt: card("question", (fields) => fields.question),
  interaction_resolved: (model, event) => model.settle(event.fields.interaction_id, "answered", event.fields),
  schedule_completed: card("schedule", () => ""),
  system_message: card("system", (fields) => fields.content),
  stream_reset: (model, event) => model.reset(event),
  error: (model, event, key) => {
    model.dropStatus(event.run_id, "");
    model.put({ key, kind: "error", run_id: event.run_id, text: event.fields.message, fields: event.fields });
  },
  finish: (model, event) => model.dropStatus(event.run_id, ""),
};
