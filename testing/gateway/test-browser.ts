/** An answer. `body` is its parsed JSON. */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what is there with what should be, member by member.
  readonly body: any;
};

/** Sends JSON and keeps cookies, as a customer's browser does. */
export class TestBrowser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send(path, { method: "GET", headers });
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#send(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      ...json,
    });
  }

  async #send(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Reply> {
    const headers = { ...(this.cookies && { Cookie: this.cookies }), ...init.headers };
    const response = await fetch(this.#url + path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await textOf(response);
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0/.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** Cancels an event stream, which would never end. */
async function textOf(response: Response): Promise<string> {
  if (!/event-stream/.test(response.headers.get("content-type") ?? "")) return response.text();
  await response.body?.cancel();
  return "";
}
