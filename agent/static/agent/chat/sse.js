// Server-sent events over fetch, because the chat request carries a body.

/** The server writes at least every 5 s; whoever hears nothing for three such beats is no longer connected. */
export const SILENCE_MS = 15000;

/** What `promise` comes to, or a TypeError (as of a cut connection) when it is silent for too long. */
async function unlessSilent(promise) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("the stream is silent")), SILENCE_MS);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Yield {id, data} for each frame of the response; comments and unknown lines are skipped. */
export async function* frames(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await unlessSilent(reader.read());
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/);
      rest = parts.pop();
      for (const part of parts) {
        const frame = parseFrame(part);
        if (frame) yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseFrame(part) {
  let id = null;
  const data = [];
  for (const line of part.split(/\r?\n/)) {
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    else if (line.startsWith("id:")) id = Number(line.slice(3));
  }
  return data.length ? { id, data: data.join("\n") } : null;
}

const FIELD_OF_KIND = {
  ai_message_start: "message", status: "status", thinking_end: "reasoning", text_end: "text",
  tool_preparing: "tool", tool_intent: "tool", tool_dropped: "tool", tool_call: "tool", tool_progress: "tool",
  tool_result: "tool", draft_updated: "draft", confirm_request: "confirm", interrupt: "interrupt",
  interaction_resolved: "interaction", schedule_completed: "schedule", system_message: "system",
  stream_reset: "reset", finish: "finish",
};

/** One chunk of the stream as {kind, idx, run_id, stage, block_id, text, fields}. */
export function eventOfChunk(chunk, idx, runId) {
  if (chunk.error) {
    return { kind: "error", idx, run_id: runId, stage: "", block_id: "error", text: "", fields: chunk.error };
  }
  const extra = chunk.extra || {};
  const delta = chunk.choices?.[0]?.delta || {};
  return {
    kind: extra.kind,
    idx,
    run_id: chunk.id,
    stage: extra.stage,
    block_id: extra.block_id,
    text: delta.reasoning_content ?? delta.content ?? "",
    fields: extra[FIELD_OF_KIND[extra.kind]] || {},
  };
}
