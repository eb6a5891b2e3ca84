import { request } from "node:http";
import { text } from "node:stream/consumers";

/** What came back; `body` is unread JSON. */
export type Answer = { readonly status: number; readonly body: string };

/**
 * POSTs JSON from a network address of one's own, for the contact form takes ten messages a minute from each. On Linux
 * all of 127.0.0.0/8 is this machine; elsewhere it has one address, and tests that send much must wait. `sender` is
 * from 1 to 250.
 */
export const postFromOwnAddress = (address: string, body: object, sender: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        family: 4,
        ...(process.platform === "linux" && { localAddress: `127.0.1.${sender}` }),
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      },
    );
    sent.once("error", reject);
    sent.end(JSON.stringify(body));
  });
