import { setTimeout as delay } from "node:timers/promises";
import { ImapFlow } from "imapflow";
import { addressParser } from "postal-mime";
import type { Mailbox } from "../../../infra/config/provider-settings.ts";
import { mailLimits } from "./limits.ts";
import { type ArrivedMail, type MailIn, type MailWatch, type Reception, refusal } from "./mail-in.ts";
import { headersOf } from "./read-mail.ts";

type MailboxSettings = Mailbox & {
  /** The address whose mail the mailbox takes. */
  readonly address: string;
  /** The address under which mail to this one is taken; undefined for an address that is not ours. */
  readonly mailboxOf: (address: string) => string | undefined;
  readonly watch?: MailWatch;
  readonly log: Record<"error" | "info", (facts: object, words: string) => void>;
  /** Until the mailbox is reached again, and until a mail that could not be recorded is tried again. */
  readonly waitMs?: (failures: number) => number;
  /** Trusted authorities instead of the usual ones, in PEM. */
  readonly ca?: string;
};

/** Where mails go that are refused for good; staff of the operator look at them. */
const refusedFolder = "Refused";

const growing = (failures: number): number => Math.min(60_000, 1_000 * 2 ** Math.min(failures, 6));

/**
 * Reads a mailbox: each mail is received, then removed. Several processes may read the same one: a mail that two of them
 * receive has the same digest, and what is gone cannot be removed twice.
 */
export function createImapMailbox(settings: MailboxSettings): MailIn {
  const { waitMs = growing, log, watch } = settings;
  const deferred: Deferred = new Map();
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(receive: Receive): Promise<void> {
    const { signal } = stopping;
    let isAway = false;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await session(settings, receive, signal, deferred, {
          opened: () => {
            watch?.read(true);
            if (isAway) log.info({}, "the mailbox is read again");
            isAway = false;
          },
          emptied: () => {
            failures = 0;
          },
        });
      } catch (error) {
        if (!isAway) log.error({ code: codeOf(error) }, "the mailbox cannot be read; trying again");
        isAway = true;
        watch?.read(false);
      }
      // A stop ends the wait.
      await delay(waitMs(failures), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start: async (receive) => {
      running = run(receive);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    listening: undefined,
  };
}

/**
 * Mails that stay until an allowance is there again, by uid: until then they are not fetched. In a mailbox that was made
 * anew a uid may be another mail's, which waits with it.
 */
type Deferred = Map<number, number>;

/** Beyond that, mails are fetched each time. */
const mostDeferred = 10_000;

type Receive = (mail: ArrivedMail) => Promise<Reception>;

/**
 * One connection, until it breaks, the product stops, or a mail could not be recorded: that mail is tried again with the
 * next connection.
 */
async function session(
  settings: MailboxSettings,
  receive: Receive,
  stopping: AbortSignal,
  deferred: Deferred,
  { opened, emptied }: Record<"opened" | "emptied", () => void>,
): Promise<void> {
  const client = new ImapFlow(optionsOf(settings));
  // The command under way fails as well.
  client.on("error", () => undefined);
  const bell = createBell();
  client.on("exists", bell.ring);
  client.on("close", bell.ring);
  const stop = () => (client.usable ? bell.ring() : client.close());
  stopping.addEventListener("abort", stop);
  try {
    await client.connect();
    await client.mailboxCreate(refusedFolder);
    await client.mailboxOpen(settings.folder);
    opened();
    while (await takeAll(client, settings, receive, stopping, deferred)) {
      emptied();
      await Promise.race([bell.rings(), client.idle()]);
    }
    if (client.usable) await client.logout();
  } finally {
    stopping.removeEventListener("abort", stop);
    client.close();
  }
}

/** @returns whether to wait for more: not with a mail left that could not be recorded, nor when the product stops */
async function takeAll(
  client: ImapFlow,
  settings: MailboxSettings,
  receive: Receive,
  stopping: AbortSignal,
  deferred: Deferred,
): Promise<boolean> {
  // By uid: another process may have emptied the mailbox, and then there is no first mail to count from.
  const answers = await client.fetchAll("1:*", { uid: true, size: true }, { uid: true });
  // In between the server tells of mails that another process is removing: their flags alone, without a uid.
  const waiting = answers.filter(({ uid }) => Number.isInteger(uid));
  const due = withoutDeferred(waiting, deferred);
  let left = due.length < waiting.length;
  for (const { uid, size = 0 } of due) {
    if (stopping.aborted) return false;
    const reception = await receptionOf(client, settings, receive, uid, size);
    if (reception === "gone") continue;
    if (reception.kind === "taken") settings.watch?.taken();
    else settings.watch?.refused(reception.code);
    if (reception.kind === "taken") await client.messageDelete(String(uid), { uid: true });
    else if (reception.reply >= 500) await client.messageMove(String(uid), refusedFolder, { uid: true });
    else {
      left = true;
      defer(uid, reception.againAfterMs, deferred);
    }
  }
  return !left && !stopping.aborted;
}

function withoutDeferred<Mail extends { readonly uid: number }>(
  mails: readonly Mail[],
  deferred: Deferred,
): Mail[] {
  const uids = new Set(mails.map(({ uid }) => uid));
  for (const [uid, untilMs] of deferred) {
    if (untilMs <= performance.now() || !uids.has(uid)) deferred.delete(uid);
  }
  return mails.filter(({ uid }) => !deferred.has(uid));
}

function defer(uid: number, againAfterMs: number | undefined, deferred: Deferred): void {
  if (againAfterMs !== undefined && deferred.size < mostDeferred)
    deferred.set(uid, performance.now() + againAfterMs);
}

async function receptionOf(
  client: ImapFlow,
  settings: MailboxSettings,
  receive: Receive,
  uid: number,
  size: number,
): Promise<Reception | "gone"> {
  if (size > mailLimits.rawBytes) return { kind: "refused", ...refusal("tooLarge") };
  const message = await client.fetchOne(String(uid), { source: true }, { uid: true });
  // Another process took it.
  if (message === false || !Buffer.isBuffer(message.source)) return "gone";
  const raw = message.source;
  try {
    return await receive({ ...envelopeOf(await headersOf(raw), settings), raw });
  } catch (error) {
    settings.log.error({ err: error }, "a mail that came in could not be recorded; it will be tried again");
    return { kind: "refused", ...refusal("unavailable") };
  }
}

type Header = { readonly key: string; readonly value: string };

/** The envelope, as the server wrote it down on delivery. */
function envelopeOf(
  headers: readonly Header[],
  { address, mailboxOf }: MailboxSettings,
): Pick<ArrivedMail, "envelopeFrom" | "recipient"> {
  const addresses = (...keys: readonly string[]) =>
    keys.flatMap((key) =>
      headers
        .filter((header) => header.key === key)
        .flatMap(({ value }) => addressParser(value, { flatten: true }).map((each) => each.address ?? "")),
    );
  const ours = addresses("x-original-to", "delivered-to", "envelope-to", "to", "cc")
    .map(mailboxOf)
    .filter((mailbox) => mailbox !== undefined);
  return {
    // "<>" is the null sender.
    envelopeFrom:
      addresses(headers.some(({ key }) => key === "return-path") ? "return-path" : "from")[0] ?? "",
    // Only that with a detail says which mail is answered.
    recipient: ours.find((each) => each.includes("+")) ?? ours[0] ?? address,
  };
}

function optionsOf({ host, port, tls, login, ca }: MailboxSettings) {
  return {
    host,
    port,
    secure: tls,
    auth: { user: login.user, pass: login.password },
    tls: { minVersion: "TLSv1.2" as const, ...(ca !== undefined && { ca }) },
    logger: false as const,
    disableAutoIdle: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 300_000,
    maxIdleTime: 240_000,
  };
}

/** Rings that come while nobody listens are not lost. */
function createBell() {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring: (): void => {
      rung = true;
      wake();
    },
    rings: async (): Promise<void> => {
      if (!rung) await new Promise<void>((done) => (wake = done));
      rung = false;
    },
  };
}

/** Of a failed connection or command; a server's words may quote a person. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("authenticationFailed" in error) return "loginRefused";
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
