import { type IncomingMessage, request } from "node:http";

/** A stream of server-sent events as a browser hears it. */
export type HeardEvents = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** All that came, as it came. */
  readonly text: () => string;
  /** Ids of the changes that were told, in order. */
  readonly changes: () => string[];
  readonly ended: () => boolean;
  /** Whether it ended as an answer does; otherwise its connection was cut. */
  readonly wasWhole: () => boolean;
  readonly hangUp: () => void;
};

/** Opens a stream and keeps listening; it asks to keep its connection, as browsers do. */
export function listenTo(url: string, headers: Record<string, string> = {}): Promise<HeardEvents> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers: { Accept: "text/event-stream", Connection: "keep-alive", ...headers },
      agent: false,
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      let ended = false;
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      // A connection that is cut is an end as well.
      response
        .on("error", () => undefined)
        .once("close", () => {
          ended = true;
        });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        changes: () =>
          [...text.matchAll(/^event: changed\nid: (.+)\ndata: (.+)\n\n/gm)].map(([, id = ""]) => id),
        ended: () => ended,
        wasWhole: () => ended && response.complete,
        hangUp: () => response.destroy(),
      });
    });
    sent.end();
  });
}
