import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { multipart, rawMail } from "../../../testing/providers/mail-corpus.ts";
import type { Scanner } from "../clamd/scanner.ts";
import { createMailReader } from "./mail-reader.ts";

const arrived = (raw: Buffer) => ({
  envelopeFrom: "sian@example.org",
  recipient: "help@certificates.example",
  raw,
});
const reader = (more: Partial<Parameters<typeof createMailReader>[0]> = {}) =>
  createMailReader({ authServer: undefined, scanner: undefined, ...more });

const { header, body } = multipart("mixed", [
  "Content-Type: text/plain\n\nSee below.",
  "Content-Type: text/plain\nContent-Disposition: attachment\n\nfirst",
  "Content-Type: text/plain\nContent-Disposition: attachment\n\nsecond",
]);
const withTwo = rawMail([header], body);

test("Mails that come together are each read", async () => {
  const { read } = reader();
  const texts = ["one", "two", "three"].map((text) => read(arrived(rawMail([], text))));
  expect(await Promise.all(texts)).toMatchObject([{ text: "one" }, { text: "two" }, { text: "three" }]);
  expect(await read(arrived(withTwo))).toMatchObject({ attachments: [{ type: "text" }, { type: "text" }] });
});

test("A mail to several recipients is read once", async () => {
  let scans = 0;
  const scanner: Scanner = {
    scan: async () => {
      scans += 1;
      return "clean";
    },
  };
  const { read } = reader({ scanner });
  const mail = arrived(withTwo);
  const [one, other] = await Promise.all([read(mail), read({ ...mail })]);
  expect([other === one, scans]).toEqual([true, 2]);
});

test("So many mails wait, and more are to come again", async () => {
  const { read } = reader({ limits: { waiting: 1 } });
  const mails = ["one", "two", "three"].map((text) => read(arrived(rawMail([], text))));
  expect(await Promise.all(mails)).toMatchObject([
    { text: "one" },
    { text: "two" },
    { code: "unavailable", reply: 451 },
  ]);
});

test("A mail whose sender has left gives up its place", async () => {
  const { read } = reader({ limits: { waiting: 1 } });
  const one = read(arrived(rawMail([], "one")));
  const leaving = new AbortController();
  const two = read({ ...arrived(rawMail([], "two")), left: leaving.signal });
  leaving.abort(new Error("left"));
  const three = read(arrived(rawMail([], "three")));
  await expect(two).rejects.toThrow("left");
  expect(await Promise.all([one, three])).toMatchObject([{ text: "one" }, { text: "three" }]);
});

/** Threads that start until the test is over. */
function threadsStarted(): Worker[] {
  const threads: Worker[] = [];
  const add = (thread: Worker) => threads.push(thread);
  process.on("worker", add);
  onTestFinished(() => {
    process.off("worker", add);
  });
  return threads;
}

test("Mails that come one after another, as from a mailbox, are read by one thread", async () => {
  const threads = threadsStarted();
  const { read } = reader();
  for (const text of ["one", "two", "three"])
    expect(await read(arrived(rawMail([], text)))).toMatchObject({ text });
  expect(threads).toHaveLength(1);
});

test("The thread ends when no mail comes, and another reads the next one", async () => {
  const threads = threadsStarted();
  const { read } = reader({ idleMs: 0 });
  await read(arrived(rawMail([], "one")));
  expect(await once(threads[0] ?? expect.fail("no thread"), "exit")).toEqual([0]);
  expect(await read(arrived(rawMail([], "two")))).toMatchObject({ text: "two" });
  expect(threads).toHaveLength(2);
});

test("A mail whose thread cannot start comes again, and the next one is read", async () => {
  process.once("worker", async (thread) => {
    thread.emit("error", new Error("no memory"));
    await thread.terminate();
  });
  const { read } = reader();
  const [one, two] = ["one", "two"].map((text) => read(arrived(rawMail([], text))));
  await expect(one).rejects.toThrow("no memory");
  expect(await two).toMatchObject({ text: "two" });
});

test("A mail that takes too long is refused, and the next one read", async () => {
  const { read } = reader({ limits: { readMs: 1 } });
  const patient = reader();
  expect(await read(arrived(rawMail([], "> a\n".repeat(100_000))))).toMatchObject({ code: "unreadable" });
  expect(await patient.read(arrived(rawMail([], "next")))).toMatchObject({ text: "next" });
});

test("A mail that takes too much memory is refused, and the next one read", async () => {
  // Declared so that no count of its parts is possible before they are read.
  const bomb = rawMail(
    ['Content-Type: multipart/mixed; boundary*0="a"; boundary*1="b"'],
    "--ab\n".repeat(290_000),
  );
  const { read } = reader({ limits: { readMegabytes: 24 } });
  expect(await read(arrived(bomb))).toMatchObject({ code: "unreadable" });
  expect(await read(arrived(rawMail([], "next")))).toMatchObject({ text: "next" });
});

test("Each attachment is scanned, and an infected one refuses the mail", async () => {
  const scanned: string[] = [];
  const scanner: Scanner = {
    scan: async (bytes) => {
      scanned.push(Buffer.from(bytes).toString().trim());
      return scanned.length === 2 ? "infected" : "clean";
    },
  };
  expect(await reader({ scanner }).read(arrived(withTwo))).toMatchObject({ code: "infected", reply: 554 });
  expect(scanned).toEqual(["first", "second"]);
});

test("Without the scanner's answer a mail is not read, and comes again", async () => {
  const scanner: Scanner = { scan: () => Promise.reject(new Error("silent")) };
  await expect(reader({ scanner }).read(arrived(withTwo))).rejects.toThrow("silent");
});
