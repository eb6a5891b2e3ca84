import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { beginning } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { freePort } from "../../infra/process/free-port.ts";
import { type MailRefusalCode, refusal } from "../../services/providers/mail-in/mail-in.ts";
import { createDovecot, type Dovecot } from "../../testing/mail-servers/dovecot-fixture.ts";
import { createPostfix, type Postfix } from "../../testing/mail-servers/postfix-fixture.ts";
import type { ServerProcess } from "../../testing/mail-servers/server-process.ts";
import { mailCorpus, type SampleMail } from "../../testing/providers/mail-corpus.ts";

type Given = {
  readonly connectionString: string;
  /** For the servers. */
  readonly folder: string;
  readonly mails: number;
  /** Of the product, of Postfix and of Dovecot in turn. */
  readonly kills: number;
  /** Until Postfix takes a mail, and until another one is delivered. */
  readonly stalledAfterMs: number;
  readonly onStage?: (words: string) => void;
  /** Control: the product acknowledges some mails without recording them. */
  readonly forgets?: boolean;
};

/** One mail of the corpus with a recipient of its own. */
type Sent = {
  readonly recipient: string;
  readonly sample: SampleMail;
  readonly refusedAs: MailRefusalCode | undefined;
};

type Result = {
  readonly findings: readonly string[];
  readonly taken: number;
  readonly refused: number;
  readonly again: number;
};

/** The way through the listener, and the way through a mailbox, half of the mails each. */
const domains = ["certificates.example", "mailbox.example"] as const;

function mailsOf(count: number): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const sample = mailCorpus[Math.floor(index / 2) % mailCorpus.length];
    if (sample === undefined) throw new Error("The corpus is empty.");
    const refusedAs = sample.becomes.as === "refused" ? sample.becomes.code : undefined;
    return { recipient: `help+m${index}@${domains[index % 2]}`, sample, refusedAs };
  });
}

/**
 * Sends mails through Postfix to the product, by LMTP and by way of a mailbox, while it and the servers are killed.
 * Everything that Postfix has taken must be in the log once, or refused as the corpus says.
 */
export async function sendThroughKills(given: Given): Promise<Result> {
  await using closing = new AsyncDisposableStack();
  chmodSync(given.folder, 0o755);
  const at = (name: string) => {
    const folder = join(given.folder, name);
    mkdirSync(folder);
    return folder;
  };
  const dovecot = await createDovecot(at("dovecot"));
  const lmtpPort = await freePort();
  const postfix = await createPostfix(at("postfix"), {
    "certificates.example": lmtpPort,
    "mailbox.example": dovecot.lmtpPort,
  });
  const product = createProduct({ ...given, lmtpPort, imapPort: dovecot.imapPort });
  const servers = { product, Postfix: postfix, Dovecot: dovecot };
  for (const server of Object.values(servers)) {
    await server.start();
    closing.defer(() => server.kill());
  }
  const mails = mailsOf(given.mails);
  const again = await sendAll(mails, { ...given, postfix, servers: Object.entries(servers) });
  const waiting = await untilDelivered({ ...given, postfix, dovecot });
  const log = openLog(given.connectionString);
  closing.defer(() => log.close());
  const recorded = await log.recipients();
  const findings = [
    ...waiting,
    ...mails.flatMap((mail) => findingOf(mail, recorded.get(mail.recipient) ?? 0, { postfix, dovecot })),
  ];
  const refused = mails.filter(({ refusedAs }) => refusedAs !== undefined).length;
  return { findings, taken: mails.length - refused, refused, again };
}

/** @returns what still waits when nothing moves any more */
async function untilDelivered({
  postfix,
  dovecot,
  stalledAfterMs,
  onStage = () => undefined,
}: Pick<Given, "stalledAfterMs" | "onStage"> & {
  readonly postfix: Postfix;
  readonly dovecot: Dovecot;
}): Promise<string[]> {
  let before = "";
  let movedMs = Date.now();
  for (;;) {
    const [queued, unread] = [postfix.queued(), dovecot.unread()];
    if (queued + unread === 0) return [];
    const now = `${queued} mails wait in Postfix, ${unread} in the mailbox`;
    if (now !== before) {
      onStage(now);
      before = now;
      movedMs = Date.now();
    }
    if (Date.now() - movedMs > stalledAfterMs) return [`${now}, and none has moved for ${stalledAfterMs} ms`];
    await delay(1_000);
  }
}

function findingOf(
  { recipient, sample, refusedAs }: Sent,
  times: number,
  { postfix, dovecot }: { readonly postfix: Postfix; readonly dovecot: Dovecot },
): string[] {
  const expected = refusedAs === undefined ? 1 : 0;
  const what = `${sample.name}, to ${recipient}:`;
  if (times !== expected) return [`${what} recorded ${times} times instead of ${expected}`];
  const bounced = postfix
    .log()
    .split("\n")
    .filter((line) => line.includes(`to=<${recipient}>`) && line.includes("status=bounced"));
  if (recipient.endsWith("@mailbox.example")) {
    const isSetAside = dovecot.refused().some((mail) => mail.includes(`Delivered-To: ${recipient}`));
    if (isSetAside !== (refusedAs !== undefined))
      return [`${what} ${isSetAside ? "is" : "is not"} in Refused`];
    return bounced.map((line) => `${what} ${line}`);
  }
  if (refusedAs === undefined) return bounced.map((line) => `${what} ${line}`);
  const { reply, enhanced } = refusal(refusedAs);
  return bounced.length > 0 && bounced.every((line) => line.includes(`${reply} ${enhanced} `))
    ? []
    : [`${what} is not refused with ${reply} ${enhanced}: ${bounced.join("; ")}`];
}

/** Sends each mail until Postfix takes it, killing one server after another on the way. @returns how many twice */
async function sendAll(
  mails: readonly Sent[],
  {
    postfix,
    servers,
    kills,
    folder,
    stalledAfterMs,
    onStage = () => undefined,
  }: Given & {
    readonly postfix: Postfix;
    readonly servers: readonly (readonly [string, ServerProcess])[];
  },
): Promise<number> {
  const transport = createTransport({ host: "127.0.0.1", port: postfix.port, ignoreTLS: true, pool: true });
  const apart = Math.max(1, Math.floor(mails.length / (kills + 1)));
  let again = 0;
  let killing: Promise<void> = Promise.resolve();
  for (const [index, mail] of mails.entries()) {
    const [name, victim] = servers[(index / apart - 1) % servers.length] ?? [];
    if (victim !== undefined && index / apart <= kills) {
      onStage(`${index} of ${mails.length} mails sent; killing ${name}`);
      killing = killing.then(async () => {
        await victim.kill();
        await victim.start();
      });
    }
    const send =
      index % 20 === 10
        ? () => sendBySwaks(mail, postfix.port, folder)
        : () => transport.sendMail(letterOf(mail));
    again += await untilTaken(send, stalledAfterMs);
  }
  await killing;
  transport.close();
  return again;
}

/** While Postfix is away the mail is sent again. @returns how often */
async function untilTaken(send: () => unknown, stalledAfterMs: number): Promise<number> {
  const deadline = Date.now() + stalledAfterMs;
  for (let again = 0; ; again += 1) {
    try {
      await send();
      return again;
    } catch (error) {
      if (Date.now() > deadline) throw new Error("Postfix does not take a mail.", { cause: error });
      await delay(100);
    }
  }
}

const letterOf = ({ recipient, sample }: Sent) => ({
  envelope: { from: sample.envelopeFrom, to: recipient },
  raw: sample.raw,
});

/** Another client than ours. */
function sendBySwaks({ recipient, sample }: Sent, port: number, folder: string): void {
  const file = join(folder, "swaks.eml");
  writeFileSync(file, sample.raw);
  const { status } = spawnSync("swaks", [
    ...["--server", `127.0.0.1:${port}`, "--from", sample.envelopeFrom || "<>", "--to", recipient],
    ...["--data", `@${file}`, "--silent", "3"],
  ]);
  if (status !== 0) throw new Error(`swaks ended with ${status}`);
}

function createProduct(
  given: Given & { readonly lmtpPort: number; readonly imapPort: number },
): ServerProcess {
  const { connectionString, lmtpPort, imapPort, forgets = false } = given;
  let child: ChildProcess | undefined;
  return {
    start: async () => {
      const settings = JSON.stringify({ connectionString, lmtpPort, imapPort, forgets });
      child = fork(join(import.meta.dirname, "product.ts"), ["--to", settings], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      await once(child, "message");
    },
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const mailTaken = z.object({ recipient: z.string() });

function openLog(connectionString: string) {
  const pool = createPool(connectionString);
  const store = createPostgresEventStore({ pool, connectionString });
  return {
    /** How often a mail to each recipient is recorded. */
    recipients: async (): Promise<ReadonlyMap<string, number>> => {
      const times = new Map<string, number>();
      let after = beginning;
      for (;;) {
        const events = await store.readAll(after, 1_000);
        for (const { type, data, position } of events) {
          after = position;
          if (type !== "MailTaken") continue;
          const { recipient } = mailTaken.parse(data);
          times.set(recipient, (times.get(recipient) ?? 0) + 1);
        }
        if (events.length === 0) return times;
      }
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
