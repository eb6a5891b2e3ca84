import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { OperatorFault } from "../process/operator-error.ts";
import { EventStoreUnreachable, foundNoNode } from "./kurrent/kurrent-errors.ts";

const tryEveryMs = 500;

/**
 * Waits until the store at EVENTSTORE_URL answers a question, so that a wrong setting is a sentence and not a failure further in.
 * @throws OperatorFault at once for what will not pass, after `patienceMs` for what may; the signal's reason when the start is given up
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

type Trouble = { readonly fault: OperatorFault; readonly mayPass: boolean };

/** What a failure means to the operator. The sentence never holds user or password. */
async function troubleOf(cause: unknown, url: string): Promise<Trouble> {
  if (cause instanceof OperatorFault) return { fault: cause, mayPass: false };
  if (!(cause instanceof EventStoreUnreachable)) return { fault: refusal(cause), mayPass: false };
  const { nodes, secure } = placesIn(url);
  const asked = await Promise.all(nodes.map(async (node) => ({ node, code: await greet(node, secure) })));
  const lasting = asked.find(({ code }) => code !== undefined && code in lastingReasons);
  const { node, code } = lasting ?? asked.find((each) => each.code !== undefined) ?? {};
  // Where one node of a cluster answers, it is the leader that is missing.
  const connects = asked.some((each) => each.code === undefined);
  const reason =
    (lasting && code && lastingReasons[code]) ??
    (connects ? reasonOfSilence(cause, secure !== undefined) : code && passingReasons[code]) ??
    `it answers ${code}: mend that, or set EVENTSTORE_URL to another server`;
  const named = lasting || !connects ? node : nodes[0];
  return {
    fault: new OperatorFault(
      `EVENTSTORE_URL (${named?.host}:${named?.port}) cannot be used, for ${reason}.`,
      {
        cause,
      },
    ),
    mayPass: lasting === undefined,
  };
}

function refusal(cause: unknown): OperatorFault {
  const name = cause instanceof Error ? cause.constructor.name : "unknown";
  const remedy =
    name === "AccessDeniedError"
      ? "see to the user, its password and its rights"
      : "see the server's log, and whether it is a server that docs/operations.md names";
  return new OperatorFault(`The event store at EVENTSTORE_URL refuses us (${name}): ${remedy}.`, { cause });
}

const untrusted =
  "its certificate is not trusted: add tlsCaFile with the certificate of the authority that signed it, as in esdb://user:password@host:2113?tlsCaFile=/path/to/ca.crt";
const noTls =
  "it speaks no TLS: give it a certificate, or add ?tls=false where the network to it is yours alone";

/** By code of a handshake: what waiting does not mend. */
const lastingReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: "its certificate has expired: renew it",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: see to the clocks of both machines",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for other names: set EVENTSTORE_URL to one of those, or give it a certificate for this one",
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ENOTFOUND: "its host is not known: set EVENTSTORE_URL to the right one",
};

const passingReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: start the server, or set EVENTSTORE_URL to where it is",
  EAI_AGAIN: "its host could not be looked up: see to the network, or set EVENTSTORE_URL to the right one",
  ETIMEDOUT: "nothing answers there: see to the server and the network to it",
};

function reasonOfSilence(cause: EventStoreUnreachable, secure: boolean): string {
  if (foundNoNode(cause.cause))
    return "no node that it names says which one leads: start the others, for more than half of the cluster has to run";
  return secure
    ? "it takes connections and does not answer: see its log"
    : "it takes connections and does not answer: see its log, and leave tls=false out where it has TLS";
}

type Node = { readonly host: string; readonly port: number };
type Places = { readonly nodes: readonly Node[]; readonly secure: { readonly ca?: Buffer } | undefined };

/** Where an address leads, read as the client reads it: names of settings in any case, with or without hyphens. */
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

/** Connects once, and answers the code of what kept us from it. */
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
 * What a promise answers, if it does so in time. The promise itself goes on unheard.
 * @throws EventStoreUnreachable after `mostMs`
 */
export async function within<Result>(mostMs: number, promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined); // It may fail when nobody waits any more.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EventStoreUnreachable(`No answer within ${mostMs} ms.`)), mostMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
