import { Socket } from "node:net";
import type pg from "pg";

/** A server that took what was sent and did not answer in time. */
class ServerSilent extends Error {
  override name = "ServerSilent";
  readonly code = "ETIMEDOUT";
}

/**
 * Makes the sockets of clients whose connections others keep, plain or with TLS. Their `query_timeout` only gives up a
 * query: what comes after it on the same connection would wait for the lost answer for ever. A connection is closed
 * when the server is not ready for the next query in time.
 */
export const endingWhenSilent = (silentMs: number) =>
  /** pg calls it as a method of its connection. */
  function openSocket(this: pg.Connection): Socket {
    let watch: NodeJS.Timeout | undefined;
    const end = () => this.stream.destroy(new ServerSilent("The server does not answer."));
    const stop = () => {
      clearTimeout(watch);
      watch = undefined;
    };
    const watchWrites = () => {
      this.stream.write = new Proxy(this.stream.write, {
        apply: (write, stream, given) => {
          watch ??= setTimeout(end, silentMs).unref();
          return Reflect.apply(write, stream, given);
        },
      });
    };
    // Connecting sets the socket's `write` back; with TLS pg then writes to another stream.
    this.on("connect", watchWrites).on("sslconnect", watchWrites);
    this.on("readyForQuery", stop).on("end", stop);
    return new Socket();
  };
