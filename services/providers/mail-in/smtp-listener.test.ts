import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { type ArrivedMail, type MailIn, type Reception, refusal } from "./mail-in.ts";
import { createSmtpListener } from "./smtp-listener.ts";

type Settings = Parameters<typeof createSmtpListener>[0];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const counted: string[] = [];
afterEach(() => void counted.splice(0));
const watch = {
  taken: () => void counted.push("taken"),
  refused: (code: string) => void counted.push(code),
};

const taken: Reception = { kind: "taken" };
const errors: object[] = [];
afterEach(() => void errors.splice(0));

async function listener(
  receive: (mail: ArrivedMail) => Promise<Reception> | Reception = () => taken,
  more: Partial<Settings> = {},
) {
  const mails: ArrivedMail[] = [];
  const listening = createSmtpListener({
    protocol: "lmtp",
    host: "127.0.0.1",
    port: 0,
    mailboxOf: (address) => (address.endsWith("@certificates.example") ? address : undefined),
    watch,
    log: { error: (facts) => void errors.push(facts) },
    ...more,
  });
  await listening.start(async (mail) => {
    mails.push(mail);
    return receive(mail);
  });
  open.push(() => listening.stop());
  return { listening, mails };
}

/** A client that speaks line by line. */
async function client({ listening }: MailIn) {
  const socket = connect(listening?.port ?? 0, "127.0.0.1");
  // The other side may end the connection at any time.
  socket.on("error", () => undefined);
  open.push(async () => void socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const reply = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return "closed";
      if (/^\d{3} /.test(value)) return value;
    }
  };
  const say = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  return { socket, reply, say, greeting: await reply() };
}

async function inTransaction(mailIn: MailIn, ...recipients: readonly string[]) {
  const speaker = await client(mailIn);
  await speaker.say(`${speaker.greeting.includes("LMTP") ? "LHLO" : "EHLO"} mx.example`);
  await speaker.say("MAIL FROM:<sian@example.org>");
  const replies: string[] = [];
  for (const recipient of recipients) replies.push(await speaker.say(`RCPT TO:<${recipient}>`));
  return { ...speaker, replies };
}

const ours = "help+token@certificates.example";
const body = "Subject: x\r\n\r\n..dot\r\n.";

describe("A mail", () => {
  test("is acknowledged once it was received, with its dots and its envelope", async () => {
    let record: (reception: Reception) => void = () => undefined;
    const { listening, mails } = await listener(() => new Promise((done) => (record = done)));
    const { say, socket } = await inTransaction(listening, ours);
    await say("DATA");
    let answered = false;
    const answer = say(body).finally(() => (answered = true));
    await expect.poll(() => mails.length).toBe(1);
    expect([answered, socket.readableLength]).toEqual([false, 0]);
    record(taken);
    expect(await answer).toBe("250 2.0.0 Taken");
    expect(mails.map(({ raw, left: _, ...mail }) => ({ ...mail, raw: Buffer.from(raw).toString() }))).toEqual(
      [{ envelopeFrom: "sian@example.org", recipient: ours, raw: "Subject: x\r\n\r\n.dot\r\n" }],
    );
  });

  test("has the null sender of a bounce", async () => {
    const { listening, mails } = await listener();
    const { say } = await client(listening);
    await say("LHLO mx.example");
    await say("MAIL FROM:<>");
    await say(`RCPT TO:<${ours}>`);
    await say("DATA");
    await say(body);
    expect(mails).toMatchObject([{ envelopeFrom: "" }]);
  });

  test("for several recipients is answered for each in LMTP", async () => {
    const answers: Record<string, Reception> = {
      "b@certificates.example": { kind: "refused", ...refusal("attachmentType") },
      "c@certificates.example": { kind: "refused", ...refusal("unavailable") },
    };
    const { listening } = await listener(({ recipient }) => answers[recipient] ?? taken);
    const { say, reply } = await inTransaction(
      listening,
      "a@certificates.example",
      "b@certificates.example",
      "c@certificates.example",
    );
    await say("DATA");
    expect([await say(body), await reply(), await reply()].map((line) => line.slice(0, 9))).toEqual([
      "250 2.0.0",
      "554 5.7.1",
      "451 4.3.0",
    ]);
    expect(counted).toEqual(["taken", "attachmentType", "unavailable"]);
  });

  test("comes once for all addresses of a mailbox, and its bytes are the same for each", async () => {
    const { listening, mails } = await listener(undefined, {
      mailboxOf: (address) => (address.includes("made-up") ? "help@certificates.example" : address),
    });
    const made = [1, 2, 3].map((n) => `help+made-up-${n}@certificates.example`);
    const { say, reply } = await inTransaction(listening, ...made, ours);
    await say("DATA");
    const replies = [await say(body), await reply(), await reply(), await reply()];
    expect(replies).toEqual(Array(4).fill("250 2.0.0 Taken"));
    expect(mails).toMatchObject([{ recipient: "help@certificates.example" }, { recipient: ours }]);
    expect(mails[1]?.raw).toBe(mails[0]?.raw);
  });

  test("has one recipient at a time in SMTP", async () => {
    const { listening, mails } = await listener(undefined, { protocol: "smtp" });
    const { replies, say } = await inTransaction(
      listening,
      "a@certificates.example",
      "b@certificates.example",
    );
    expect(replies.map((line) => line.slice(0, 9))).toEqual(["250 Accep", "452 4.5.3"]);
    await say("DATA");
    expect(await say(body)).toBe("250 2.0.0 Taken");
    expect(mails).toHaveLength(1);
  });

  test("that could not be recorded will come again", async () => {
    const { listening } = await listener(() => Promise.reject(new Error("no database")));
    const { say } = await inTransaction(listening, ours);
    await say("DATA");
    expect(await say(body)).toBe("451 4.3.0 The mail cannot be taken now: try again later");
    expect(errors).toHaveLength(1);
  });
});

test.each(["lmtp", "smtp"] as const)("A recipient that is not ours is refused by %s", async (protocol) => {
  const { listening } = await listener(undefined, { protocol });
  const { replies } = await inTransaction(listening, "root@example.org");
  expect(replies).toEqual(["550 5.1.1 No such mailbox here"]);
  expect(counted).toEqual(["noSuchMailbox"]);
});

test("Neither log-in nor encryption is offered", async () => {
  const { listening } = await listener();
  const { say } = await client(listening);
  await say("LHLO mx.example");
  expect(await say("AUTH PLAIN AGEAYg==")).toMatch(/^500 /);
  expect(await say("STARTTLS")).toMatch(/^500 /);
});

describe("The largest mail", () => {
  const limits = { rawBytes: 1_000 };
  test("is announced, and a larger one refused before it is sent", async () => {
    const { listening } = await listener(undefined, { limits });
    const { say } = await client(listening);
    await say("LHLO mx.example");
    expect(await say("MAIL FROM:<a@example.org> SIZE=1001")).toMatch(/^552 /);
    expect(await say("MAIL FROM:<a@example.org> SIZE=1000")).toMatch(/^250 /);
  });
  test("or after it was sent", async () => {
    const { listening, mails } = await listener(undefined, { limits });
    const { say } = await inTransaction(listening, ours);
    await say("DATA");
    expect(await say(`${"x".repeat(990)}\r\n${"x".repeat(990)}\r\n.`)).toMatch(/^552 5\.3\.4 /);
    expect(mails).toEqual([]);
  });
});

describe("Connections", () => {
  test("beyond the limit are told to come back", async () => {
    const { listening } = await listener(undefined, { limits: { connections: 1 } });
    expect((await client(listening)).greeting).toMatch(/^220 /);
    expect((await client(listening)).greeting).toMatch(/^421 /);
  });

  test("that fall silent are ended", async () => {
    const { listening } = await listener(undefined, { limits: { silenceMs: 500 } });
    expect(await (await client(listening)).reply()).toMatch(/^421 /);
  });

  test("that send a mail too slowly are ended, and nothing is taken", async () => {
    const { listening, mails } = await listener(undefined, { limits: { transferMs: 100 } });
    const { say, reply } = await inTransaction(listening, ours);
    await say("DATA");
    expect(await say("Subject: never ends")).toMatch(/^421 4\.4\.2 /);
    expect(await reply()).toBe("closed");
    expect(mails).toEqual([]);
  });

  test("that break before the answer end the transaction", async () => {
    let record: (reception: Reception) => void = () => undefined;
    const { listening, mails } = await listener(() => new Promise((done) => (record = done)));
    const { say, socket } = await inTransaction(listening, ours, "other@certificates.example");
    await say("DATA");
    socket.write(`${body}\r\n`);
    await expect.poll(() => mails.length).toBe(1);
    socket.destroy();
    await expect.poll(() => mails[0]?.left?.aborted).toBe(true);
    record(taken);
    await listening.stop();
    expect([mails.length, counted, errors]).toEqual([1, [], []]);
  });

  test("that break in the middle of a mail leave nothing behind", async () => {
    const { listening, mails } = await listener();
    const { say, socket } = await inTransaction(listening, ours);
    await say("DATA");
    socket.write("Subject: cut");
    socket.destroy();
    await once(socket, "close");
    await listening.stop();
    expect([mails, errors]).toEqual([[], []]);
  });
});

describe("A stop", () => {
  test("ends what is under way, and takes nothing new", async () => {
    let record: (reception: Reception) => void = () => undefined;
    const { listening, mails } = await listener(() => new Promise((done) => (record = done)));
    const { say } = await inTransaction(listening, ours);
    const other = await client(listening);
    await other.say("LHLO mx.example");
    await say("DATA");
    const answer = say(body);
    await expect.poll(() => mails.length).toBe(1);
    const stopped = listening.stop();
    expect(await other.say("MAIL FROM:<late@example.org>")).toMatch(/^421 4\.3\.2 /);
    record(taken);
    expect(await answer).toBe("250 2.0.0 Taken");
    await stopped;
    expect(listening.listening).toBeUndefined();
  });
});

test("A start on a port in use names the setting", async () => {
  const { listening } = await listener();
  const port = listening.listening?.port ?? 0;
  await expect(listener(undefined, { port })).rejects.toThrow(
    `MAIL_IN_URL: nothing can listen on port ${port}`,
  );
});
