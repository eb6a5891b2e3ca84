import { Agent, request } from "node:http";

export type Sent = {
  readonly method: string;
  /** As it stands in the request line. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
};

/** @throws Error when there is no answer within half a minute */
export type Send = (sent: Sent) => Promise<{ readonly status: number; readonly text: string }>;

const withinMs = 30_000;

/** Sends requests as they are, which `fetch` would not: it corrects addresses and joins headers. */
export function sendTo(url: string): Send & Disposable {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: Send = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const all = [["Host", host], ...headers, ...(body ? [["Content-Length", String(body.length)]] : [])];
      let answered = false;
      const asked = request({ agent, hostname, port, method, path, headers: all.flat() }, (response) => {
        answered = true;
        const status = response.statusCode ?? 0;
        const chunks: Buffer[] = [];
        const done = () => resolve({ status, text: Buffer.concat(chunks).toString("utf8") });
        if (/event-stream/.test(String(response.headers["content-type"]))) {
          asked.destroy();
          done();
          return;
        }
        response.on("data", (chunk: Buffer) => void chunks.push(chunk));
        response.on("end", done);
        response.on("error", reject);
      });
      asked.setTimeout(withinMs, () => asked.destroy(new Error(`No answer within ${withinMs / 1000} s`)));
      asked.on("error", (error) => {
        if (!answered) reject(error);
      });
      asked.end(body);
    });
  return Object.assign(send, { [Symbol.dispose]: () => agent.destroy() });
}
