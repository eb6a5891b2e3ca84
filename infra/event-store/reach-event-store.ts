import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { OperatorError } from "../process/operator-error.ts";
import { EventStoreUnreachable } from "./event-store.ts";
import { foundNoNode } from "./kurrent/kurrent-errors.ts";

const tryEveryMs = 500;

/**
 * Waits until the store at EVENTSTORE_URL answers, so that a wrong setting is reported clearly.
 * @throws OperatorError at once for permanent errors, after `patienceMs` for transient ones; the signal's reason when
 * the start is cancelled
 */
export async function reachEventStore(
  question: () => Promise<unknown>,
  url: string,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      await question();
      return;
    } catch (cause) {
      const { fault, mayPass } = await troubleOf(cause, url);
      if (!mayPass || Date.now() > deadline) throw fault;
    }
    await delay(tryEveryMs);
  }
}

type Trouble = { readonly fault: OperatorError; readonly mayPass: boolean };

/** Explains a failure to the operator, without user or password. */
async function troubleOf(cause: unknown, url: string): Promise<Trouble> {
  if (cause instanceof OperatorError) return { fault: cause, mayPass: false };
  if (!(cause instanceof EventStoreUnreachable)) return { fault: refusal(cause), mayPass: false };
  const { nodes, secure } = placesIn(url);
  const asked = await Promise.all(nodes.map(async (node) => ({ node, code: await greet(node, secure) })));
  const lasting = asked.find(({ code }) => code !== undefined && code in lastingReasons);
  const { node, code } = lasting ?? asked.find((each) => each.code !== undefined) ?? {};
  // When one node of a cluster answers, the leader is missing.
  const connects = asked.some((each) => each.code === undefined);
  const reason =
    (lasting && code && lastingReasons[code]) ??
    (connects ? reasonOfSilence(cause, secure !== undefined) : code && passingReasons[code]) ??
    `it answers ${code}: fix that, or set EVENTSTORE_URL to another server`;
  const named = lasting || !connects ? node : nodes[0];
  return {
    fault: new OperatorError(`EVENTSTORE_URL (${named?.host}:${named?.port}) cannot be used: ${reason}.`, {
      cause,
    }),
    mayPass: lasting === undefined,
  };
}

function refusal(cause: unknown): OperatorError {
  const name = cause instanceof Error ? cause.constructor.name : "unknown";
  const remedy =
    name === "AccessDeniedError"
      ? "check the user, its password and its rights"
      : "check the server's log, and whether docs/operations.md lists this kind of server";
  return new OperatorError(`The event store at EVENTSTORE_URL refuses us (${name}): ${remedy}.`, { cause });
}

const untrusted =
  "its certificate is not trusted: add tlsCaFile with the certificate of the authority that signed it, as in esdb://user:password@host:2113?tlsCaFile=/path/to/ca.crt";
const noTls = "it does not use TLS: give it a certificate, or add ?tls=false if the network to it is private";

/** Permanent errors, by code of a handshake. */
const lastingReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: "its certificate has expired: renew it",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: check the clocks of both machines",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for other names: set EVENTSTORE_URL to one of those, or give it a certificate for this one",
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ENOTFOUND: "its host is unknown: correct EVENTSTORE_URL",
};

const passingReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: start the server, or set EVENTSTORE_URL to where it is",
  EAI_AGAIN: "its host could not be looked up: check the network, or correct EVENTSTORE_URL",
  ETIMEDOUT: "nothing answers there: check the server and the network",
};

function reasonOfSilence(cause: EventStoreUnreachable, secure: boolean): string {
  if (foundNoNode(cause.cause))
    return "none of its nodes knows a leader: start the others, because more than half of the cluster must run";
  return secure
    ? "it accepts connections but does not answer: check its log"
    : "it accepts connections but does not answer: check its log, and leave out tls=false if it uses TLS";
}

type Node = { readonly host: string; readonly port: number };
type Places = { readonly nodes: readonly Node[]; readonly secure: { readonly ca?: Buffer } | undefined };

/** Nodes of an address, parsed like the client does: setting names in any case, with or without hyphens. */
function placesIn(url: string): Places {
  const [, names = "", query = ""] = /^[^:]+:\/\/(?:[^@/]*@)?([^/?]*)\/?(?:\?(.*))?$/.exec(url.trim()) ?? [];
  const nodes = names.split(",").map((name) => {
    const [host = "", port = "2113"] = name.split(":");
    return { host, port: Number(port) };
  });
  const settings = new Map(
    [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase().replace(/[_-]/g, ""), value]),
  );
  if (settings.get("tls")?.toLowerCase() === "false") return { nodes, secure: undefined };
  const file = settings.get("tlscafile");
  return { nodes, secure: file === undefined ? {} : { ca: readFileSync(file) } };
}

const greetingMs = 3000;

/** Connects once, and returns the error code, if any. */
function greet({ host, port }: Node, secure: Places["secure"]): Promise<string | undefined> {
  return new Promise((done) => {
    const options = { host, port, timeout: greetingMs };
    const socket: Socket = secure
      ? connectTls({ ...options, ...secure, ALPNProtocols: ["h2"] })
      : connectPlain(options);
    const end = (code?: string) => {
      socket.destroy();
      done(code);
    };
    socket.once(secure ? "secureConnect" : "connect", () => end());
    socket.once("timeout", () => end("ETIMEDOUT"));
    socket.on("error", (error) => end("code" in error ? String(error.code) : error.message));
  });
}

/**
 * A promise's result, if in time. The promise itself continues, and a late rejection is ignored.
 * @throws EventStoreUnreachable after `mostMs`
 */
export async function within<Result>(mostMs: number, promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined); // It may fail after the timeout.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EventStoreUnreachable(`No answer within ${mostMs} ms.`)), mostMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
