import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mailCorpus, multipart, rawMail, returnedTo } from "../../../testing/providers/mail-corpus.ts";
import { mailLimits } from "./limits.ts";
import type { ArrivedMail } from "./mail-in.ts";
import { digestOf, type ReadMail, readMail } from "./read-mail.ts";

const recipient = "help+token@certificates.example";
const read = (raw: Buffer, more: Partial<ArrivedMail> = {}, authServer?: string) =>
  readMail({ envelopeFrom: "sian@example.org", recipient, raw, ...more }, { authServer });

async function readable(...given: Parameters<typeof read>): Promise<ReadMail> {
  const mail = await read(...given);
  if ("code" in mail) throw new Error(mail.code);
  return mail;
}
const digest = async (raw: Buffer, more: Partial<ArrivedMail> = {}): Promise<string> =>
  digestOf({ envelopeFrom: "sian@example.org", recipient, raw, ...more }, await readable(raw, more));
const refusalOf = async (...given: Parameters<typeof read>) => {
  const mail = await read(...given);
  return "code" in mail ? mail : undefined;
};

test.each(mailCorpus.map((sample) => [sample.name, sample] as const))("%s", async (_, sample) => {
  const mail = await read(sample.raw, { envelopeFrom: sample.envelopeFrom });
  const { becomes } = sample;
  if (becomes.as === "refused") return expect(mail).toMatchObject({ code: becomes.code });
  if ("code" in mail) throw new Error(`refused: ${mail.code}`);
  if (becomes.as === "written" || becomes.as === "automatic") {
    const attachments = mail.attachments.map(({ type, name }) => `${type} ${name}`);
    expect({ as: mail.kind.as, text: mail.text, attachments }).toEqual({ attachments: [], ...becomes });
  } else {
    expect(mail).toMatchObject({ kind: becomes, text: "", attachments: [] });
  }
  return undefined;
});

test.each(mailCorpus.filter(({ becomes, name }) => "severity" in becomes && !name.includes("German")))(
  "$name names the mail that it returns",
  async ({ raw }) => {
    expect((await readable(raw, { envelopeFrom: "" })).kind).toMatchObject({
      originalMessageId: "confirmation.1@certificates.example",
      returnTo: returnedTo,
    });
  },
);

test("A report that a person passes on is their mail", async () => {
  const inner = mailCorpus.find(({ name }) => name === "Postfix, no such user")?.raw.toString() ?? "";
  const parts = ["Content-Type: text/plain\n\nIt came back!", `Content-Type: message/rfc822\n\n${inner}`];
  const { header, body } = multipart("mixed", parts, "outer");
  expect(await readable(rawMail([header], body))).toMatchObject({ kind: { as: "written" } });
});

describe("The sender", () => {
  test("is read with name and address", async () => {
    expect((await readable(rawMail([], "x"))).from).toEqual({ name: "Siân Ŵyn", email: "sian@example.org" });
  });
  test.each(["", "From: undisclosed-recipients:;", "From: nobody"])("is unknown with %j", async (header) => {
    expect((await readable(Buffer.from(`${header}\r\nSubject: x\r\n\r\nx`))).from).toBeNull();
  });
});

describe("The digest", () => {
  const mail = rawMail(["Message-ID: <one@example.org>"], "Hello");
  test("is the same for a mail that comes again by another way", async () => {
    const again = Buffer.concat([Buffer.from("Received: by another.example; today\r\n"), mail]);
    expect(await digest(mail)).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest(again, { recipient: recipient.toUpperCase() })).toBe(await digest(mail));
  });
  test.each<[string, Buffer, Partial<ArrivedMail>]>([
    ["Message-ID", rawMail(["Message-ID: <two@example.org>"], "Hello"), {}],
    ["body", rawMail(["Message-ID: <one@example.org>"], "Hello!"), {}],
    ["recipient", mail, { recipient: "help@certificates.example" }],
    ["envelope sender", mail, { envelopeFrom: "" }],
  ])("differs with the %s", async (_, raw, more) => {
    expect(await digest(raw, more)).not.toBe(await digest(mail));
  });
  test("without a Message-ID differs with date and subject", async () => {
    const digests = ["Subject: a", "Subject: b"].map((header) => digest(rawMail([header], "x")));
    expect(new Set(await Promise.all(digests)).size).toBe(2);
  });
});

describe("A limit", () => {
  const attached = (count: number, bytes: number) => {
    const { header, body } = multipart(
      "mixed",
      Array.from(
        { length: count },
        () => `Content-Type: text/plain\nContent-Disposition: attachment\n\n${"x".repeat(bytes)}`,
      ),
    );
    return rawMail([header], body);
  };
  test.each<[string, Buffer, Buffer]>([
    ["tooLarge", rawMail([], Buffer.alloc(mailLimits.rawBytes)), rawMail([], "x")],
    ["tooManyAttachments", attached(mailLimits.attachments + 1, 1), attached(mailLimits.attachments, 1)],
    [
      "attachmentsTooLarge",
      attached(2, mailLimits.attachmentBytes / 2 + 1),
      attached(2, mailLimits.attachmentBytes / 2 - 2),
    ],
    [
      "tooManyLines",
      rawMail([], Buffer.from(`Yes.\n${"> a\n".repeat(mailLimits.lines)}`)),
      rawMail([], Buffer.from(`Yes.\n${"> a\n".repeat(mailLimits.lines - 10)}`)),
    ],
    [
      "textTooLong",
      rawMail([], "x".repeat(mailLimits.textCharacters + 1)),
      rawMail([], "x".repeat(mailLimits.textCharacters)),
    ],
    [
      "headersTooLarge",
      rawMail([`X: ${"x".repeat(mailLimits.headerBytes)}`], ""),
      rawMail([`X: ${"x".repeat(mailLimits.headerBytes - 200)}`], ""),
    ],
  ])("refuses a mail as %s, and takes the largest below it", async (code, over, under) => {
    expect(await refusalOf(over)).toMatchObject({ code });
    expect(await refusalOf(under)).toBeUndefined();
  });
  test("on parts holds for every boundary together", async () => {
    const inner = multipart(
      "mixed",
      Array.from({ length: 30 }, () => "\nx"),
      "inner",
    );
    const outer = multipart("mixed", [
      `${inner.header}\n\n${inner.body}`,
      ...Array.from({ length: 30 }, () => "\ny"),
    ]);
    expect(await refusalOf(rawMail([outer.header], outer.body))).toMatchObject({ code: "tooManyParts" });
  });
  test("on mails inside mails", async () => {
    const wrapped = (times: number): string =>
      times === 0 ? "Subject: in\n\ninner" : `Content-Type: message/rfc822\n\n${wrapped(times - 1)}`;
    const mail = (times: number) => Buffer.from(`From: a@example.org\n${wrapped(times)}`);
    expect(await refusalOf(mail(mailLimits.mailsInMails + 1))).toMatchObject({ code: "nestedTooDeep" });
    expect(await refusalOf(mail(mailLimits.mailsInMails))).toBeUndefined();
  });
  test("keeps the start of a long quote", async () => {
    const { text, quoted } = await readable(rawMail([], `Yes.\n\n> ${"x".repeat(60_000)}`));
    expect([text, quoted.length]).toEqual(["Yes.", mailLimits.textCharacters]);
  });
});

test("Every refusal says so to the other server, without a word of the mail", async () => {
  expect(await refusalOf(rawMail([], Buffer.alloc(16_000_000)))).toEqual({
    code: "tooLarge",
    reply: 552,
    enhanced: "5.3.4",
    text: "The mail is larger than 15 MB",
  });
});

describe("A mail made to take time is read or refused within four seconds of CPU", () => {
  const megabyte = 1_000_000;
  const cpuMs = async (raw: Buffer) => {
    const before = process.cpuUsage();
    await read(raw);
    return process.cpuUsage(before).user / 1_000;
  };
  test.each<[string, string]>([
    [">", ">"],
    ["> ", "> "],
    ["quoted lines", ">\n"],
    ["spaces", " "],
    ["blank lines", "\n"],
    ["words in a row", "On a "],
    ["dashes", "-"],
    ["colons", "A: b@c\n"],
  ])("of %s in plain text", async (_, unit) => {
    expect(await cpuMs(rawMail([], `${unit.repeat(megabyte / unit.length)}x`))).toBeLessThan(4_000);
  });
  test.each([
    "<div>",
    "<blockquote>",
    "<",
    "&",
    "<a x ",
    "<!--",
    "<li>",
    "<p>",
    "<b>",
    "</p>",
    "&nbsp;",
    "<td>",
  ])("of %s in HTML", async (unit) => {
    expect(
      await cpuMs(rawMail(["Content-Type: text/html"], `${unit.repeat(megabyte / unit.length)}x`)),
    ).toBeLessThan(4_000);
  });
});

/** What a reader may trip over. */
const oddities = [
  ...'\0\r\n";<(',
  ...["\r\n\r\n", "--=_b1\r\n", "--=_b1--", "=?utf-8?q?", "=?utf-8?b?//8=?=", "=GG", "\u202e", "\ud800"],
  ...[
    "<".repeat(2_000),
    "> ".repeat(5_000),
    "charset=utf-32be",
    "filename*=utf-8''%E2%80%AE",
    "Status: 5.1.1\r\n",
  ],
  ...["Content-Type: message/rfc822\r\n", 'Content-Type: multipart/mixed; boundary=""\r\n', "From: \r\n"],
];

test("A spoilt mail is read or refused, never thrown, and its words are well-formed", () => {
  const raws = mailCorpus.map(({ raw }) => raw);
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const spoiling = fc.tuple(place, place, fc.constantFrom(...oddities), fc.constantFrom(...raws));
  const spoilt = (raw: Buffer, [from, to, odd, other]: [number, number, string, Buffer]): Buffer =>
    Buffer.concat([
      raw.subarray(0, from * raw.length),
      Buffer.from(odd),
      (to < 0.2 ? other : raw).subarray(to * raw.length),
    ]);
  return fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...raws),
      fc.array(spoiling, { minLength: 1, maxLength: 6 }),
      async (raw, spoilings) => {
        const mail = await read(spoilings.reduce(spoilt, raw), {}, "mx.example.com");
        if ("code" in mail) return;
        const words = [mail.subject, mail.text, mail.quoted, ...mail.attachments.map(({ name }) => name)];
        for (const each of words) expect(each.isWellFormed() && !/[\0\u202e]/.test(each)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
