import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pick } from "../../services/operations/seed/seeded-random.ts";
import { Connection, type Fault } from "./connection.ts";

type LinkOptions = {
  readonly from: string;
  readonly to: string;
  /** On this machine. */
  readonly toPort: number;
  readonly random: () => number;
  /** Called when the server answers, or is left without having answered, with the first line of the request. */
  readonly onSettled?: ((request: string, tookMs: number) => void) | undefined;
};

/** Passes connections on to a port, and does to them what a network does. */
export class Link {
  readonly name: string;
  readonly to: string;
  readonly #options: LinkOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #isUsed = false;
  /** Waits for the next request. */
  #armed: { readonly fault: Fault; readonly fitting: RegExp; readonly hit: () => void } | undefined;

  private constructor(options: LinkOptions) {
    this.name = `${options.from} to ${options.to}`;
    this.to = options.to;
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#join(client));
  }

  static async open(options: LinkOptions): Promise<Link> {
    const link = new Link(options);
    link.#server.listen(0, "127.0.0.1");
    await once(link.#server, "listening");
    return link;
  }

  /** Whether anything ever connected. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error(`${this.name} has no port.`);
    return address.port;
  }

  /** Any connection that is open now. @returns whether there is one */
  strikeOpen(fault: Fault): boolean {
    const whole = [...this.#connections].filter(({ isStruck }) => !isStruck);
    if (whole.length === 0) return false;
    pick(this.#options.random, whole).strike(fault);
    return true;
  }

  /** The connection of the next request with such bytes. @returns whether one came in time */
  async strikeNext(fault: Fault, fitting: RegExp, withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#armed = { fault, fitting, hit: () => resolve(true) };
    const gaveUp = new AbortController();
    const late = delay(withinMs, false, { signal: gaveUp.signal }).catch(() => false);
    const isHit = await Promise.race([promise, late]);
    gaveUp.abort();
    this.#armed = undefined;
    return isHit;
  }

  /** Resets every connection that was struck, as when a router forgets them. */
  breakDead(): void {
    for (const connection of this.#connections) if (connection.isStruck) connection.reset();
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.reset();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const { toPort, onSettled } = this.#options;
    this.#isUsed = true;
    const server = new Socket({ allowHalfOpen: true });
    server.setNoDelay();
    server.connect(toPort, "127.0.0.1");
    const connection = new Connection(client, server, {
      onSettled,
      onRequest: (bytes) => this.#strikeIfArmed(connection, bytes),
      onClosed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  #strikeIfArmed(connection: Connection, bytes: Buffer): void {
    if (!this.#armed || connection.isStruck) return;
    const { fault, fitting, hit } = this.#armed;
    if (!fitting.test(bytes.toString("latin1"))) return;
    this.#armed = undefined;
    connection.strike(fault);
    hit();
  }
}
