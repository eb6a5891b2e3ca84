import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Scanner } from "../clamd/scanner.ts";
import { mailLimits } from "./limits.ts";
import { type ArrivedMail, type MailLimits, type Refusal, refusal } from "./mail-in.ts";
import type { ReadMail } from "./read-mail.ts";

/** Reads mails, and has their attachments scanned. */
export type MailReader = {
  read(mail: ArrivedMail): Promise<ReadMail | Refusal>;
};

type ReaderSettings = {
  /** Whose Authentication-Results count. */
  readonly authServer: string | undefined;
  /** Undefined: nothing is scanned. */
  readonly scanner: Scanner | undefined;
  readonly limits?: Partial<Pick<MailLimits, "readMs" | "readMegabytes">>;
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
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function readInThread(mail: ArrivedMail): Promise<ReadMail | Refusal> {
    thread ??= await startThread(limits.readMegabytes);
    const reading = thread;
    reading.ref();
    try {
      reading.postMessage({ mail, authServer });
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

  async function inTurn(mail: ArrivedMail): Promise<ReadMail | Refusal> {
    waiting += 1;
    clearTimeout(idle);
    const reading = last.then(() => readInThread(mail));
    const done = () => {
      waiting -= 1;
      if (waiting === 0) idle = setTimeout(endThread, idleMs).unref();
    };
    // Without a thread this mail comes again; the next one tries to start it.
    last = reading.then(done, done);
    return reading;
  }

  function endThread(): void {
    thread?.postMessage("end");
    thread = undefined;
  }

  return {
    read: async (mail) => {
      const read = await inTurn(mail);
      if ("code" in read || scanner === undefined) return read;
      for (const { bytes } of read.attachments) {
        if ((await scanner.scan(bytes)) === "infected") return refusal("infected");
      }
      return read;
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
