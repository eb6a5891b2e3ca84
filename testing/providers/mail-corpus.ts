import type { MailRefusalCode } from "../../services/providers/mail-in/mail-in.ts";

/** A mail of the corpus, and what becomes of it. */
export type SampleMail = {
  readonly name: string;
  readonly envelopeFrom: string;
  readonly raw: Buffer;
  readonly becomes: SampleOutcome;
};
type SampleOutcome =
  | { readonly as: "written" | "automatic"; readonly text: string; readonly attachments?: readonly string[] }
  | { readonly as: "bounce"; readonly severity: "hard" | "soft" | "spam"; readonly code: string }
  | { readonly as: "complaint" | "notice" }
  | { readonly as: "refused"; readonly code: MailRefusalCode };

/** Headers and body of a mail; bytes in the body stay as they are. */
export function rawMail(headers: readonly string[], body: string | Buffer): Buffer {
  const lines = ["From: Siân Ŵyn <sian@example.org>", "Date: Fri, 27 Nov 2026 10:00:00 +0000", ...headers];
  const text = typeof body === "string" ? Buffer.from(body.replace(/\r?\n/g, "\r\n")) : body;
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), text]);
}

const plain = (charset: string, encoding: string) => [
  `Content-Type: text/plain; charset=${charset}`,
  `Content-Transfer-Encoding: ${encoding}`,
];

const written = (
  name: string,
  headers: readonly string[],
  body: string | Buffer,
  text: string,
): SampleMail => ({
  name,
  envelopeFrom: "sian@example.org",
  raw: rawMail([`Message-ID: <${name.replace(/\W+/g, "-")}@example.org>`, ...headers], body),
  becomes: { as: "written", text },
});

/** Parts between boundaries; each is headers, a blank line and a body. */
export const multipart = (type: string, parts: readonly string[], boundary = "=_b1") => ({
  header: `Content-Type: multipart/${type}; boundary="${boundary}"`,
  body: `${parts.map((part) => `--${boundary}\n${part}\n`).join("")}--${boundary}--\n`,
});

const part = (type: string, body: string, ...headers: readonly string[]) =>
  [`Content-Type: ${type}`, ...headers, "", body].join("\n");

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64");
const pdf = Buffer.from("%PDF-1.7\n%âãÏÓ\n", "latin1").toString("base64");
const base64 = "Content-Transfer-Encoding: base64";

function mixed(name: string, parts: readonly string[], becomes: SampleOutcome, type = "mixed"): SampleMail {
  const { header, body } = multipart(type, parts);
  return { ...written(name, ["MIME-Version: 1.0", header], body, ""), becomes };
}

const charsets: SampleMail[] = [
  written("utf-8", plain("utf-8", "8bit"), "Diolch! Llŷn, Łódź, Straße 🎉", "Diolch! Llŷn, Łódź, Straße 🎉"),
  written(
    "utf-8 in base64",
    plain("utf-8", "base64"),
    Buffer.from("Dziękuję").toString("base64"),
    "Dziękuję",
  ),
  written("quoted-printable", plain("utf-8", "quoted-printable"), "caf=C3=A9 =E2=82=AC5=\n!", "café €5!"),
  written(
    "windows-1252",
    plain("windows-1252", "8bit"),
    Buffer.from("4772fcdf6520962080352e", "hex"),
    "Grüße – €5.",
  ),
  written("iso-8859-2", plain("iso-8859-2", "8bit"), Buffer.from("5a61bff3b3e6", "hex"), "Zażółć"),
  written("koi8-r", plain("koi8-r", "8bit"), Buffer.from("f0d2c9d7c5d4", "hex"), "Привет"),
  written("gb18030", plain("gb18030", "8bit"), Buffer.from("c4e3bac3", "hex"), "你好"),
  written("iso-2022-jp", plain("iso-2022-jp", "7bit"), Buffer.from("1b2442467c4b5c1b2842", "hex"), "日本"),
  written("utf-7 stays as it was sent", plain("utf-7", "7bit"), "Gr+APwA3w-e", "Gr+APwA3w-e"),
  written("an unknown charset", plain("x-klingon", "8bit"), "Qapla'", "Qapla'"),
  written("8-bit without a charset", [], Buffer.from("Siân yma", "utf8"), "Siân yma"),
];

const lines: SampleMail[] = [
  written("dots", [], "one\n.two\n..three\n.\nfour", "one\n.two\n..three\n.\nfour"),
  written("a long line", [], "x".repeat(20_000), "x".repeat(20_000)),
  written("bare line feeds", [], Buffer.from("one\ntwo\n"), "one\ntwo"),
  written("an empty body", [], "", ""),
  written(
    "no Message-ID, folded subject",
    ["Subject: =?utf-8?q?Cwestiwn?=\r\n =?utf-8?q?_am_ddyddiad?="],
    "Pryd?",
    "Pryd?",
  ),
  written("control characters", [], "a\u0007b\u202ec\u0000d", "abcd"),
];

const broken: SampleMail[] = [
  written("header without a colon", ["This is no header", "Subject: x"], "still read", "still read"),
  written("two senders", ["From: other@example.net"], "whoever", "whoever"),
  written("content type of nonsense", ["Content-Type: text/plain;;;=/"], "nonsense", "nonsense"),
  written("boundary that never comes", ['Content-Type: multipart/mixed; boundary="never"'], "lost", ""),
  mixed("part that never ends", [part("text/plain", "open\n--=_b1 --x")], {
    as: "written",
    text: "open\n--=_b1 --x",
  }),
  written("base64 that is none", plain("utf-8", "base64"), "!!!!", ""),
];

const structures: SampleMail[] = [
  mixed(
    "plain and HTML",
    [part("text/plain", "the plain"), part("text/html", "<p>the <b>HTML</b></p>")],
    { as: "written", text: "the plain" },
    "alternative",
  ),
  {
    ...written("HTML alone", ["Content-Type: text/html; charset=utf-8"], "", ""),
    raw: rawMail(
      ["Message-ID: <html@example.org>", "Content-Type: text/html; charset=utf-8"],
      '<html><head><title>t</title><style>p{}</style></head><body><p>Good &amp; <img src="https://tracker.example/x.png">well<br>new line</p><script>alert(1)</script><blockquote>old</blockquote></body>',
    ),
    becomes: { as: "written", text: "Good & well\nnew line" },
  },
  mixed(
    "attachments",
    [
      part("text/plain", "See both."),
      part("image/png", png, base64, 'Content-Disposition: attachment; filename="scan.png"'),
      part(
        "application/octet-stream",
        pdf,
        base64,
        'Content-Disposition: attachment; filename="../../etc/form.exe"',
      ),
      part("text/html", "<p>page</p>", 'Content-Disposition: attachment; filename="page.html"'),
    ],
    {
      as: "written",
      text: "See both.",
      attachments: ["png scan.png", "pdf etc form.exe.pdf", "text page.html.txt"],
    },
  ),
  mixed(
    "winmail.dat, invitation and signatures",
    [
      part("text/plain", "Outlook"),
      part(
        "application/ms-tnef",
        Buffer.from("789f3e2201", "hex").toString("base64"),
        base64,
        'Content-Disposition: attachment; filename="winmail.dat"',
      ),
      part("text/calendar", "BEGIN:VCALENDAR"),
      part("application/pgp-signature", "-----BEGIN PGP SIGNATURE-----"),
    ],
    { as: "written", text: "Outlook", attachments: [] },
  ),
  mixed(
    "program as an attachment",
    [
      part("text/plain", "run"),
      part(
        "image/png",
        Buffer.from("MZ\u0090\u0000\u0003", "latin1").toString("base64"),
        base64,
        'Content-Disposition: attachment; filename="a.png"',
      ),
    ],
    { as: "refused", code: "attachmentType" },
  ),
  mixed(
    "mail passed on",
    [
      part("text/plain", "See below."),
      part("message/rfc822", "Subject: passed on\nFrom: a@example.net\n\nThe inner mail."),
    ],
    {
      as: "written",
      text: `See below.\n\n\n${"-".repeat(22)}\nFrom:    a@example.net\nSubject: passed on\n${"-".repeat(22)}\n\nThe inner mail.`,
    },
  ),
];

const automatic = (
  name: string,
  headers: readonly string[],
  envelopeFrom = "sian@example.org",
): SampleMail => ({
  ...written(name, headers, "I am away.", ""),
  envelopeFrom,
  becomes: { as: "automatic", text: "I am away." },
});

const automatics: SampleMail[] = [
  automatic("out of office (RFC 3834)", ["Auto-Submitted: auto-replied (vacation)"], ""),
  automatic("Exchange's out of office", ["Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All"]),
  automatic("newsletter", ["List-Unsubscribe: <https://example.org/u>", "Precedence: bulk"]),
  automatic("vacation of an old program", ["X-Autoreply: yes"]),
  automatic("null sender", [], ""),
  automatic("Precedence of an old program", ["Precedence: auto_reply"]),
  written("a person's mail from Exchange", ["X-Auto-Response-Suppress: DR, OOF, AutoReply"], "Hi", "Hi"),
  written(
    "a person's mail by way of a group",
    [
      "Precedence: list",
      "List-ID: <help.example.org>",
      "List-Unsubscribe: <https://groups.example/u>",
      "Mailing-list: list help@example.org; contact help+owners@example.org",
    ],
    "Hi",
    "Hi",
  ),
  written(
    "a person's mail that a rule passed on",
    ["X-MS-Exchange-Inbox-Rules-Loop: help@example.org", "X-Loop: help@example.org"],
    "Hi",
    "Hi",
  ),
  written("Auto-Submitted: no", ["Auto-Submitted: no"], "I am here.", "I am here."),
];

const returnedMail = (returnAddress: string) =>
  `Return-Path: <${returnAddress}>\nMessage-ID: <confirmation.1@certificates.example>\nReply-To: ${returnAddress}\nSubject: Your order\n\nHello`;

/** The return address in the mails that reports of the corpus return. */
export const returnedTo = "help+token@certificates.example";

function report(name: string, status: string, becomes: SampleOutcome, type = "delivery-status"): SampleMail {
  const { header, body } = multipart(`report; report-type=${type}`, [
    part("text/plain", "A report for people."),
    part(`message/${type}`, status),
    part("message/rfc822", returnedMail(returnedTo)),
  ]);
  return { ...written(name, ["Subject: Undelivered Mail", header], body, ""), envelopeFrom: "", becomes };
}

const failed = (status: string, diagnostic: string) =>
  `Reporting-MTA: dns; mx.example.net\nArrival-Date: Fri, 27 Nov 2026 10:00:00 +0000\n\nFinal-Recipient: rfc822; sian@example.org\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${diagnostic}`;

function informal(
  name: string,
  headers: readonly string[],
  words: string,
  becomes: SampleOutcome,
): SampleMail {
  return { ...written(name, headers, words, ""), envelopeFrom: "", becomes };
}

const reports: SampleMail[] = [
  report(
    "Postfix, no such user",
    failed(
      "5.1.1",
      "smtp; 550 5.1.1 <sian@example.org>: Recipient address rejected:\n    User unknown in virtual mailbox table",
    ),
    { as: "bounce", severity: "hard", code: "5.1.1" },
  ),
  report("Postfix, mailbox full", failed("5.2.2", "smtp; 552 5.2.2 Mailbox full"), {
    as: "bounce",
    severity: "soft",
    code: "5.2.2",
  }),
  report(
    "Postfix, tried for five days",
    failed("4.4.1", "X-Postfix; connect to mx.example.org: Connection timed out"),
    { as: "bounce", severity: "soft", code: "4.4.1" },
  ),
  report("Postfix, delayed", failed("4.4.1", "X-Postfix; timed out").replace("failed", "delayed"), {
    as: "notice",
  }),
  report("Postfix, relayed", failed("2.0.0", "smtp; 250 2.0.0 Ok").replace("failed", "relayed"), {
    as: "notice",
  }),
  report(
    "Exchange, no such user",
    failed(
      "5.1.10",
      "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    ),
    { as: "bounce", severity: "hard", code: "5.1.10" },
  ),
  report(
    "Exchange, access denied",
    failed("5.4.1", "smtp;550 5.4.1 Recipient address rejected: Access denied."),
    { as: "bounce", severity: "hard", code: "5.4.1" },
  ),
  report(
    "Exchange, blocked",
    failed("5.7.606", "smtp;550 5.7.606 Access denied, banned sending IP [192.0.2.1]"),
    { as: "bounce", severity: "spam", code: "5.7.606" },
  ),
  report(
    "Gmail, no such user",
    failed(
      "5.1.1",
      "smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address",
    ),
    { as: "bounce", severity: "hard", code: "5.1.1" },
  ),
  report(
    "Gmail, DMARC",
    failed(
      "5.7.26",
      "smtp; 550-5.7.26 Unauthenticated email from certificates.example is not accepted due to domain's DMARC policy.",
    ),
    { as: "bounce", severity: "spam", code: "5.7.26" },
  ),
  report("Exim, vague status", failed("5.0.0", "smtp; 550-5.1.1 user unknown"), {
    as: "bounce",
    severity: "hard",
    code: "5.1.1",
  }),
  report("Exim, vague status and no code", failed("5.0.0", "smtp; 552 quota exceeded"), {
    as: "bounce",
    severity: "soft",
    code: "5.0.0",
  }),
  report(
    "complaint (ARF)",
    "Feedback-Type: abuse\nUser-Agent: SomeISP/1.0\nVersion: 1",
    { as: "complaint" },
    "feedback-report",
  ),
  report(
    "read receipt",
    "Final-Recipient: rfc822; sian@example.org\nDisposition: manual-action/MDN-sent-manually; displayed",
    { as: "notice" },
    "disposition-notification",
  ),
  informal(
    "qmail",
    [],
    `Hi. This is the qmail-send program at example.net.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<sian@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${returnedMail(returnedTo)}`,
    { as: "bounce", severity: "hard", code: "5.1.1" },
  ),
  informal(
    "Exim without a report",
    ["X-Failed-Recipients: sian@example.org", "Auto-Submitted: auto-replied"],
    `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  sian@example.org\n    host mx.example.org [192.0.2.7]\n    SMTP error from remote mail server after RCPT TO:<sian@example.org>:\n    552 mailbox full\n\n------ This is a copy of the message, including all the headers. ------\n\n${returnedMail(returnedTo)}`,
    { as: "bounce", severity: "soft", code: "552" },
  ),
  informal(
    "Exim, delayed",
    ["Auto-Submitted: auto-replied"],
    "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours. No action is required on your part. Delivery attempts will continue.",
    { as: "notice" },
  ),
  informal(
    "Gmail without a report",
    ["X-Failed-Recipients: sian@example.org"],
    `Delivery to the following recipient failed permanently:\n\n     sian@example.org\n\nTechnical details of permanent failure:\nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain. The error that the other server returned was:\n550 5.7.1 Message rejected as spam\n\n----- Original message -----\n\n${returnedMail(returnedTo)}`,
    { as: "bounce", severity: "spam", code: "5.7.1" },
  ),
  informal(
    "Exchange without a report, in German",
    ["Subject: Unzustellbar: Ihre Bestellung"],
    "Ihre Nachricht konnte nicht zugestellt werden.\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##",
    { as: "bounce", severity: "hard", code: "5.1.1" },
  ),
];

const bombs: SampleMail[] = [
  {
    ...written("too many parts", [], "", ""),
    ...bombOf(
      "too many parts",
      Array.from({ length: 51 }, () => part("text/plain", "x")),
      "tooManyParts",
    ),
  },
  {
    ...written("nested too deep", ["Content-Type: multipart/mixed; boundary=b0"], nested(9), ""),
    becomes: { as: "refused", code: "nestedTooDeep" },
  },
  {
    ...written("headers without end", [`X-Padding: ${"x".repeat(70_000)}`], "x", ""),
    becomes: { as: "refused", code: "headersTooLarge" },
  },
  {
    ...written("text without end", [], "word ".repeat(10_001), ""),
    becomes: { as: "refused", code: "textTooLong" },
  },
];

function bombOf(name: string, parts: readonly string[], code: MailRefusalCode): SampleMail {
  return mixed(name, parts, { as: "refused", code });
}

function nested(levels: number): string {
  const open = Array.from(
    { length: levels },
    (_, level) => `--b${level}\nContent-Type: multipart/mixed; boundary=b${level + 1}\n`,
  );
  return `${open.join("\n")}\n--b${levels}\n\ndeep\n`;
}

/** Small mails as people, programs and servers send them, and as nobody should. */
export const mailCorpus: readonly SampleMail[] = [
  ...charsets,
  ...lines,
  ...broken,
  ...structures,
  ...automatics,
  ...reports,
  ...bombs,
];
