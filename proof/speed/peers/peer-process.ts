import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";

const onDatabase = { connectionString: z.string() };

/** What a peer's process is to serve. `emmett` is the folder that has Emmett. */
export const peerOrder = z.discriminatedUnion("serve", [
  z.object({ serve: z.literal("bare") }),
  z.object({ serve: z.literal("plain"), ...onDatabase }),
  z.object({ serve: z.literal("emmett"), emmett: z.string(), ...onDatabase }),
]);

export type PeerOrder = z.output<typeof peerOrder>;

const listening = z.object({ port: z.number() });

/** @returns its port */
export async function startPeer(closing: AsyncDisposableStack, order: PeerOrder): Promise<number> {
  const peer = fork(join(import.meta.dirname, "peer.ts"));
  const ended = once(peer, "exit");
  closing.defer(async () => {
    if (peer.connected) peer.disconnect();
    await ended;
  });
  peer.send(order);
  return new Promise((resolve, reject) => {
    peer.once("message", (message) => resolve(listening.parse(message).port));
    peer.once("exit", (code) =>
      reject(new OperatorError(`The peer "${order.serve}" ended with ${code} before it listened.`)),
    );
  });
}
