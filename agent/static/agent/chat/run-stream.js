// Follows one run: the POST stream first, then reattaching by GET until the stream ended with [DONE].

import { ANSWER_MS, ApiError, envelope, send } from "../api.js";
import { eventOfChunk, frames, SILENCE_MS } from "./sse.js";

const FIRST_DELAY_MS = 400;
const LAST_DELAY_MS = 5000;

/** Wait, but no longer than until the network is back. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
  });
}

export class RunStream {
  /** `onEvent(event)` for each event in order; `onLink(up)` when the connection is lost or back. */
  constructor({ onEvent, onLink = () => {} }) {
    this.onEvent = onEvent;
    this.onLink = onLink;
    this.lastIdx = -1;
    this.runId = null;
    this.closed = false;
    this.abort = new AbortController();
  }

  /** Start a run; resolves with its ids as soon as it is accepted. `done` resolves at the end of the stream. */
  async start(body, key) {
    const timer = setTimeout(() => this.abort.abort(new DOMException("no answer", "TimeoutError")), ANSWER_MS);
    const response = await send("POST", "/agent/chat", { body, key, signal: this.abort.signal }).finally(() => clearTimeout(timer));
    if (!isStream(response)) await envelope(response);
    this.runId = response.headers.get("X-Run-ID");
    this.done = this.readThenFollow(response);
    return { runId: this.runId, conversationId: response.headers.get("X-Conversation-ID") };
  }

  follow(runId, from) {
    this.runId = runId;
    this.lastIdx = from - 1;
    this.done = this.readThenFollow(null);
  }

  /** Stop reading. The run itself goes on. */
  close() {
    this.closed = true;
    this.abort.abort();
  }

  async readThenFollow(first) {
    let response = first;
    let delay = FIRST_DELAY_MS;
    while (!this.closed) {
      const before = this.lastIdx;
      if (response && (await this.read(response))) return;
      if (this.lastIdx > before) delay = FIRST_DELAY_MS;
      if (response) this.onLink(false);
      response = await this.reattach();
      if (response === "ended") return;
      if (response) continue;
      await pause(delay);
      delay = Math.min(delay * 2, LAST_DELAY_MS);
    }
  }

  /** True when the stream was complete. */
  async read(response) {
    try {
      for await (const frame of frames(response)) {
        if (frame.data === "[DONE]") return true;
        this.deliver(frame);
      }
    } catch (error) {
      if (this.closed) return true;
      if (!(error instanceof TypeError) && error.name !== "AbortError") throw error;
    }
    return this.closed;
  }

  deliver(frame) {
    const event = eventOfChunk(JSON.parse(frame.data), frame.id, this.runId);
    if (event.idx !== null && event.idx <= this.lastIdx) return;
    if (event.idx !== null) this.lastIdx = event.idx;
    this.onEvent(event);
  }

  async reattach() {
    if (this.closed) return "ended";
    const attempt = new AbortController();
    const giveUp = () => attempt.abort();
    const timer = setTimeout(giveUp, SILENCE_MS);
    this.abort.signal.addEventListener("abort", giveUp, { once: true });
    try {
      const headers = this.lastIdx >= 0 ? { "Last-Event-ID": String(this.lastIdx) } : {};
      const path = `/agent/runs/${this.runId}/stream`;
      const response = await send("GET", path, { headers, signal: attempt.signal });
      if (response.status === 204) return "ended";
      if (!isStream(response)) await envelope(response);
      this.onLink(true);
      return response;
    } catch (error) {
      if (this.closed) return "ended";
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

function isStream(response) {
  return (response.headers.get("Content-Type") || "").startsWith("text/event-stream");
}
