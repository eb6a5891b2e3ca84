import { createTransport, type Transporter } from "nodemailer";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDovecot, type Dovecot, mailboxLogin } from "../../../testing/mail-servers/dovecot-fixture.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { createImapMailbox } from "./imap-mailbox.ts";
import { type ArrivedMail, type Reception, refusal } from "./mail-in.ts";

let dovecot: Dovecot;
let transport: Transporter;
beforeAll(async () => {
  dovecot = await createDovecot(temporaryFolder("dovecot"));
  await dovecot.start();
  const options = { host: "127.0.0.1", port: dovecot.lmtpPort, lmtp: true, ignoreTLS: true };
  transport = createTransport(options);
});
afterAll(async () => {
  transport.close();
  await dovecot.kill();
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const deliver = (to: string, text: string, from = "sian@example.org") =>
  transport.sendMail({ envelope: { from, to }, from: "Siân <sian@example.org>", to, subject: "Re", text });

const taken: Reception = { kind: "taken" };

async function mailbox(
  receive: (text: string, mail: ArrivedMail) => Reception | Promise<Reception> = () => taken,
  password = mailboxLogin.password,
) {
  const seen = {
    mails: [] as ArrivedMail[],
    texts: [] as string[],
    counted: [] as string[],
    reads: [] as boolean[],
    logged: [] as object[],
  };
  const { mails, texts, counted, reads, logged } = seen;
  const box = createImapMailbox({
    host: "127.0.0.1",
    port: dovecot.imapPort,
    tls: false,
    login: { user: mailboxLogin.user, password },
    folder: "INBOX",
    address: "help@certificates.example",
    mailboxOf: (address) => (address.endsWith("@certificates.example") ? address : undefined),
    watch: {
      taken: () => void counted.push("taken"),
      refused: (code) => void counted.push(code),
      read: (wasRead) => void reads.push(wasRead),
    },
    log: {
      error: (facts) => void logged.push(facts),
      info: (_facts, words) => void logged.push({ words }),
    },
    waitMs: () => 50,
  });
  await box.start(async (mail) => {
    const text = Buffer.from(mail.raw).toString().split("\r\n\r\n")[1]?.trim() ?? "";
    mails.push(mail);
    texts.push(text);
    return receive(text, mail);
  });
  open.push(() => box.stop());
  return { box, ...seen };
}

const left = () => dovecot.unread();

describe("A mailbox", () => {
  test("gives each mail that waits, and each that comes, and is empty then", async () => {
    await deliver("help+token@certificates.example", "waited");
    const { mails, texts, counted } = await mailbox();
    await expect.poll(left).toBe(0);
    await deliver("help@certificates.example", "came", "");
    await expect.poll(() => [texts, left()]).toEqual([["waited", "came"], 0]);
    expect(mails).toMatchObject([
      { envelopeFrom: "sian@example.org", recipient: "help+token@certificates.example" },
      { envelopeFrom: "", recipient: "help@certificates.example" },
    ]);
    expect(counted).toEqual(["taken", "taken"]);
  });

  test("keeps what is refused for good in a folder of its own", async () => {
    const { counted } = await mailbox(() => ({ kind: "refused", ...refusal("attachmentType") }));
    await deliver("help@certificates.example", "a program");
    await expect.poll(left).toBe(0);
    expect(dovecot.refused()).toEqual([expect.stringContaining("a program")]);
    expect(counted).toEqual(["attachmentType"]);
  });

  test("keeps what could not be recorded, and gives it again", async () => {
    let tries = 0;
    const { texts, logged } = await mailbox(() => {
      tries += 1;
      if (tries < 3) throw new Error("no database");
      return taken;
    });
    await deliver("help@certificates.example", "again");
    await expect.poll(left).toBe(0);
    expect([texts, logged.length]).toEqual([["again", "again", "again"], 2]);
  });

  test("keeps what exceeds an allowance, and fetches it once there is another", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let refusals = 0;
    const { texts } = await mailbox((text) => {
      if (text !== "stranger" || refusals > 0) return taken;
      refusals += 1;
      return { kind: "refused", ...refusal("tooManyMails"), againAfterMs: 3_600_000 };
    });
    await deliver("help@certificates.example", "stranger");
    const replies = ["one", "two", "three"];
    // Each comes with a new connection.
    for (const [index, reply] of replies.entries()) {
      await deliver("help+token@certificates.example", reply);
      const came = ["stranger", ...replies.slice(0, index + 1)];
      await expect.poll(() => [texts, left()]).toEqual([came, 1]);
    }
    vi.advanceTimersByTime(3_600_000);
    await expect.poll(left).toBe(0);
    expect(texts).toEqual(["stranger", ...replies, "stranger"]);
  });

  test("counts as read while a mail in it waits for an allowance", async () => {
    let isAllowed = false;
    const { reads } = await mailbox(() =>
      isAllowed ? taken : { kind: "refused", ...refusal("tooManyMails"), againAfterMs: 0 },
    );
    await deliver("help@certificates.example", "stranger");
    await dovecot.kill();
    await expect.poll(() => reads.at(-1)).toBe(false);
    await dovecot.start();
    await expect.poll(() => reads.at(-1)).toBe(true);
    isAllowed = true;
    await expect.poll(left).toBe(0);
  });

  test("is reached again after its server was killed", async () => {
    const { texts, reads, logged } = await mailbox();
    await deliver("help@certificates.example", "before");
    await expect.poll(left).toBe(0);
    await dovecot.kill();
    await expect.poll(() => logged).toHaveLength(1);
    await dovecot.start();
    await deliver("help@certificates.example", "after");
    await expect.poll(() => [texts, left()]).toEqual([["before", "after"], 0]);
    expect(logged.slice(1)).toEqual([{ words: "the mailbox is read again" }]);
    expect([reads[0], reads.includes(false), reads.at(-1)]).toEqual([true, true, true]);
  });

  test("can be read by two processes", async () => {
    const readers = [await mailbox(), await mailbox()];
    const all = ["a", "b", "c", "d", "e"];
    for (const text of all) await deliver("help@certificates.example", text);
    await expect.poll(left).toBe(0);
    expect([...new Set(readers.flatMap(({ texts }) => texts))].sort()).toEqual(all);
    expect(readers.flatMap(({ logged }) => logged)).toEqual([]);
  });

  test("that refuses the log-in is reported once, and a stop does not wait", async () => {
    const { box, reads, logged } = await mailbox(undefined, "wrong");
    await expect.poll(() => logged).toEqual([{ code: "loginRefused" }]);
    expect(reads).not.toContain(true);
    await box.stop();
  });

  test("is left once the mail under way is received", async () => {
    let record: (reception: Reception) => void = () => undefined;
    const { box, texts } = await mailbox(() => new Promise((done) => (record = done)));
    await deliver("help@certificates.example", "under way");
    await expect.poll(() => texts).toEqual(["under way"]);
    const stopped = box.stop();
    record(taken);
    await stopped;
    expect(left()).toBe(0);
  });
});
