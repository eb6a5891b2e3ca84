import { type IncomingMessage, request } from "node:http";

/** A stream of server-sent events as received by a browser. */
export type HeardEvents = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Everything received, unparsed. */
  readonly text: () => string;
  /** Ids of the changes received, in order. */
  readonly changes: () => string[];
  readonly ended: () => boolean;
  /** Whether it ended normally; otherwise its connection was cut. */
  readonly wasWhole: () => boolean;
  readonly hangUp: () => void;
};

/** Opens a stream and keeps listening over a keep-alive connection, like a browser. */
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
      // A cut connection also ends the stream.
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
