import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

export const faultKinds = ["reset", "black hole", "half-open", "reply dropped", "trickle"] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Fault = {
  readonly kind: FaultKind;
  /** Of a half-open connection: whose bytes are lost. */
  readonly lost: "requests" | "replies";
};

type Watching = {
  /** Before the bytes of a client are passed on. */
  readonly onRequest: (bytes: Buffer) => void;
  readonly onSettled: ((request: string, tookMs: number) => void) | undefined;
  readonly onClosed: () => void;
};

/** One end of a dead connection hears so late that the other is gone. */
const forgottenAfterMs = 30_000;
const trickle = { pieces: 8, pauseMs: 50, forMs: 5_000 } as const;

/** From a client to a server; each must allow half-open sockets. */
export class Connection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #watching: Watching;
  readonly #requests: Direction;
  readonly #replies: Direction;
  #isStruck = false;
  #dropsReply = false;
  #asked: { readonly request: string; readonly atMs: number } | undefined;

  constructor(client: Socket, server: Socket, watching: Watching) {
    this.#client = client;
    this.#server = server;
    this.#watching = watching;
    this.#requests = new Direction(server);
    this.#replies = new Direction(client);
    client.on("data", (bytes) => this.#request(bytes));
    server.on("data", (bytes) => this.#reply(bytes));
    for (const [socket, direction] of [
      [client, this.#requests],
      [server, this.#replies],
    ] as const) {
      socket.on("end", () => (direction.isDead ? this.#forgetLater() : direction.end()));
      socket.on("error", () => socket.destroy()); // Broken connections are the point.
      socket.on("close", () => this.#closed(direction));
    }
  }

  get isStruck(): boolean {
    return this.#isStruck;
  }

  strike({ kind, lost }: Fault): void {
    this.#isStruck = true;
    if (kind === "reset") this.reset();
    if (kind === "reply dropped") this.#dropsReply = true;
    if (kind === "black hole" || (kind === "half-open" && lost === "requests")) this.#requests.isDead = true;
    if (kind === "black hole" || (kind === "half-open" && lost === "replies")) this.#replies.isDead = true;
    if (kind === "trickle") this.#slowDown();
  }

  #slowDown(): void {
    for (const each of [this.#requests, this.#replies]) each.slowDown();
    setTimeout(() => {
      this.#isStruck = false;
    }, trickle.forMs).unref();
  }

  reset(): void {
    this.#asked = undefined;
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  #request(bytes: Buffer): void {
    this.#watching.onRequest(bytes);
    if (this.#requests.isDead || this.#server.destroyed) return;
    const [request = ""] = bytes.toString("latin1", 0, 200).split("\r\n", 1);
    this.#asked = { request, atMs: performance.now() };
    this.#requests.pass(bytes);
  }

  #reply(bytes: Buffer): void {
    this.#settle();
    if (this.#dropsReply) this.reset();
    else this.#replies.pass(bytes);
  }

  #closed(direction: Direction): void {
    this.#settle();
    if (direction.isDead) this.#forgetLater();
    else direction.close();
    if (this.#client.destroyed && this.#server.destroyed) this.#watching.onClosed();
  }

  #forgetLater(): void {
    setTimeout(() => this.reset(), forgottenAfterMs).unref();
  }

  #settle(): void {
    if (!this.#asked) return;
    const { request, atMs } = this.#asked;
    this.#asked = undefined;
    this.#watching.onSettled?.(request, performance.now() - atMs);
  }
}

/** Bytes on their way to one end of a connection. */
class Direction {
  readonly #to: Socket;
  isDead = false;
  /** Set once it was slow: bytes wait for those before them. */
  #passing: Promise<void> | undefined;
  #slowUntilMs = 0;

  constructor(to: Socket) {
    this.#to = to;
  }

  slowDown(): void {
    this.#slowUntilMs = performance.now() + trickle.forMs;
    this.#passing ??= Promise.resolve();
  }

  pass(bytes: Buffer): void {
    this.#inTurn(() => this.#write(bytes));
  }

  end(): void {
    this.#inTurn(() => this.#to.end());
  }

  close(): void {
    this.#inTurn(() => this.#to.destroy());
  }

  #inTurn(act: () => unknown): void {
    const actUnlessDead = () => {
      if (!this.isDead && !this.#to.destroyed) return act();
    };
    if (this.#passing) this.#passing = this.#passing.then(async () => void (await actUnlessDead()));
    else actUnlessDead();
  }

  async #write(bytes: Buffer): Promise<void> {
    const size = Math.ceil(bytes.length / trickle.pieces);
    let at = 0;
    while (at < bytes.length && performance.now() < this.#slowUntilMs) {
      this.#to.write(bytes.subarray(at, at + size));
      at += size;
      await delay(trickle.pauseMs);
    }
    if (at < bytes.length) this.#to.write(bytes.subarray(at));
  }
}
