/** Server-sent events, read from the body of a request (an EventSource could neither post nor send a key). */

export interface ServerEvent {
  event: string;
  data: string;
}

/** The events in a stream of text, in whatever pieces it comes. */
export async function* serverEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let rest = "";
  let event = "message";
  let data: string[] = [];
  for await (const piece of pieces) {
    rest += piece;
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (!end) break;
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line === "") {
        if (data.length > 0) yield { event, data: data.join("\n") };
        event = "message";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
    }
  }
}

/** The text of a body as it comes. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Whoever stops reading stops the model.
    void reader.cancel().catch(() => {});
  }
}
