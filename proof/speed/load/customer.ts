import { Agent, type IncomingMessage, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import type { z } from "zod";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { LoadFigures } from "./call-figures.ts";
import type { CustomerAddress } from "./target.ts";

/** A call failed: it is already counted, and the rest of the order is skipped. */
export class CallFailed extends Error {
  override name = "CallFailed";
}

/** One customer's browser: an address, a connection, cookies. */
export type Customer = {
  /**
   * Posts JSON, counts the call and returns the answer. `dueAt`, by `performance.now()`, is when it should have
   * started.
   * @throws CallFailed without a successful answer
   */
  post<Answer>(
    call: string,
    address: string,
    body: object,
    schema: z.ZodType<Answer>,
    dueAt?: number,
  ): Promise<Answer>;
  /** Closes the connection. */
  leave(): void;
};

const timeoutMs = 15_000;
/**
 * Shorter than the gateway's keep-alive (5 s), so that it does not close while a request is sent. Browsers retry then.
 */
const idleMs = 3_500;

export function createCustomer(
  figures: LoadFigures,
  { localAddress, forwardedFor }: CustomerAddress,
): Customer {
  const own = { keepAlive: true, timeout: idleMs, ...(localAddress !== undefined && { localAddress }) };
  const [agent, secureAgent] = [new Agent(own), new SecureAgent(own)];
  const cookies = new Map<string, string>();

  async function send(address: string, body: object): Promise<IncomingMessage> {
    const isSecure = address.startsWith("https:");
    const written = JSON.stringify(body);
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(written),
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      ...(forwardedFor !== undefined && { "X-Forwarded-For": forwardedFor }),
    };
    const options = { method: "POST", headers, timeout: timeoutMs };
    return new Promise((resolve, reject) => {
      const sent = isSecure
        ? secureRequest(address, { ...options, agent: secureAgent })
        : request(address, { ...options, agent });
      sent.once("response", resolve).once("error", reject);
      sent.once("timeout", () => sent.destroy(new Error("timeout")));
      sent.end(written);
    });
  }

  function keepCookies({ headers }: IncomingMessage): void {
    for (const line of headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  return {
    async post(call, address, body, schema, dueAt = performance.now()) {
      try {
        const response = await send(address, body);
        const said = await text(response);
        const { statusCode = 0 } = response;
        if (statusCode < 200 || statusCode > 299) throw new CallFailed(String(statusCode));
        keepCookies(response);
        const answer = schema.parse(said === "" ? undefined : JSON.parse(said));
        figures.took(call, performance.now() - dueAt);
        return answer;
      } catch (error) {
        const fault = error instanceof CallFailed ? error.message : (nameOfError(error) ?? "unknown");
        figures.failed(call, fault);
        throw error instanceof CallFailed ? error : new CallFailed(fault);
      }
    },
    leave() {
      agent.destroy();
      secureAgent.destroy();
    },
  };
}
