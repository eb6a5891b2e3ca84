import { createServer, type Server, Socket } from "node:net";

/** A proxy on a separate port, to test failures of the network or the server. */
export class FaultProxy {
  #target: number;
  #deaf = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** Resolves once it listens. */
  static async before(connectionString: string): Promise<{ proxy: FaultProxy; connectionString: string }> {
    const url = new URL(connectionString);
    const proxy = new FaultProxy(Number(url.port));
    await new Promise<void>((done) => proxy.#server.listen(0, "127.0.0.1", done));
    const address = proxy.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
    url.port = String(address.port);
    return { proxy, connectionString: url.toString() };
  }

  /** Open sockets, two per connection. */
  get sockets(): number {
    return this.#sockets.size;
  }

  /** Sends new connections to another port. */
  retarget(connectionString: string): void {
    this.#target = Number(new URL(connectionString).port);
  }

  /** Discards the server's answers, or passes them again on new connections. */
  swallowAnswers(swallow: boolean): void {
    this.#deaf = swallow;
  }

  /** Breaks every connection. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #join(client: Socket): void {
    const server = this.#socketTo(this.#target);
    client.on("data", (chunk) => server.write(chunk));
    server.on("data", (chunk) => {
      if (!this.#deaf) client.write(chunk);
    });
    this.#keep(client, server);
    this.#keep(server, client);
  }

  #socketTo(port: number): Socket {
    const socket = new Socket();
    socket.connect(port, "127.0.0.1");
    return socket;
  }

  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => other.destroy()); // Broken connections are expected.
    socket.on("close", () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
