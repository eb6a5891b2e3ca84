import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Scanner } from "../clamd/scanner.ts";
import { mailLimits } from "./limits.ts";
import { type ArrivedMail, type MailLimits, type Refusal, refusal } from "./mail-in.ts";
import type { ReadMail } from "./read-mail.ts";

/** What is the same for each recipient of a mail. */
type Unread = Pick<ArrivedMail, "envelopeFrom" | "raw" | "left">;

/** Reads mails, and has their attachments scanned. */
export type MailReader = {
  /**
   * Reads each `raw` once, and refuses a mail while too many others wait.
   * @throws the reason of `left`, if the mail still waited
   */
  read(mail: Unread): Promise<ReadMail | Refusal>;
};

type ReaderSettings = {
  /** Whose Authentication-Results count. */
  readonly authServer: string | undefined;
  /** Undefined: nothing is scanned. */
  readonly scanner: Scanner | undefined;
  readonly limits?: Partial<Pick<MailLimits, "readMs" | "readMegabytes" | "waiting">>;
  /** Until the thread ends for want of mails. */
  readonly idleMs?: number;
};

/**
 * Reads one mail after another in a thread of its own, which the process outlives: a mail made to take time or memory
 * holds up other mails for a while, and nothing else. A thread costs memory, and its start 0.1 to 0.6 s: it is kept while
 * mails come.
 */
export function createMailReader(settings: ReaderSettings): MailReader {
  const { authServer, scanner, idleMs = 30_000 } = settings;
  const limits = { ...mailLimits, ...settings.limits };
  let thread: Worker | undefined;
  let busy = false;
  /** Of the mails that wait, each begins one. */
  const turns = new Set<() => void>();
  let idle: NodeJS.Timeout | undefined;
  const results = new WeakMap<Uint8Array, Promise<ReadMail | Refusal>>();

  async function readInThread({ envelopeFrom, raw }: Unread): Promise<ReadMail | Refusal> {
    thread ??= await startThread(limits.readMegabytes);
    const reading = thread;
    reading.ref();
    try {
      reading.postMessage({ mail: { envelopeFrom, raw }, authServer });
      const [answer] = await once(reading, "message", { signal: AbortSignal.timeout(limits.readMs) });
      return answer;
    } catch {
      // Out of time or memory.
      thread = undefined;
      await reading.terminate();
      return refusal("unreadable");
    } finally {
      reading.unref();
    }
  }

  async function inTurn(mail: Unread): Promise<ReadMail | Refusal> {
    if (turns.size >= limits.waiting) return refusal("unavailable");
    await myTurn(mail.left);
    try {
      return await readInThread(mail);
    } finally {
      // Without a thread this mail comes again; the next one tries to start it.
      const [next] = turns;
      if (next === undefined) idle = setTimeout(endThread, idleMs).unref();
      else turns.delete(next);
      busy = next !== undefined;
      next?.();
    }
  }

  async function myTurn(left: AbortSignal | undefined): Promise<void> {
    left?.throwIfAborted();
    clearTimeout(idle);
    if (!busy) {
      busy = true;
      return;
    }
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    turns.add(begin);
    // The mail gives up its place, and its bytes are kept no longer.
    const leave = () => {
      turns.delete(begin);
      reject(left?.reason);
    };
    left?.addEventListener("abort", leave);
    await promise.finally(() => left?.removeEventListener("abort", leave));
  }

  function endThread(): void {
    thread?.postMessage("end");
    thread = undefined;
  }

  async function readAndScan(mail: Unread): Promise<ReadMail | Refusal> {
    const read = await inTurn(mail);
    if ("code" in read || scanner === undefined) return read;
    for (const { bytes } of read.attachments) {
      if ((await scanner.scan(bytes)) === "infected") return refusal("infected");
    }
    return read;
  }

  return {
    read: (mail) => {
      const result = results.get(mail.raw) ?? readAndScan(mail);
      results.set(mail.raw, result);
      return result;
    },
  };
}

/** A thread that has loaded what it needs: before that it must not be terminated. */
async function startThread(maxOldGenerationSizeMb: number): Promise<Worker> {
  const thread = new Worker(new URL("./mail-reader-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb },
  });
  await once(thread, "message");
  return thread;
}
