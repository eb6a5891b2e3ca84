import { type Company, contactLines, registrationLines } from "../../../domain/settings/company.ts";
import type { MailSubject } from "../../correspondence/return-address.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { type Html, html } from "./html.ts";

/** Content of every mail about an order; only the names are personal. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  /** The recipient of the certificate, if not the customer. */
  recipientName: string | undefined;
  orderNumber: string;
  /** Opens the order without signing in, until it expires. */
  trackingLink: string;
};

/** One of several orders that a mail is about, each with a heading, what is to be said of it, and its link. */
export type OneOfSeveral = Pick<Occasion, "orderNumber" | "trackingLink"> & {
  /** `Birth`, `Death` and so on. */
  readonly certificateType: string;
};

export const section = ({ certificateType }: OneOfSeveral, ...blocks: readonly Block[]): Block[] => [
  heading(`${certificateType} certificate`),
  ...blocks,
];

type Inline = string | { link: string; to: string };

/** A block of a letter. Text and HTML are rendered from the same blocks, so they never differ. */
export type Block =
  | { kind: "paragraph"; content: readonly Inline[] }
  | { kind: "heading"; text: string }
  /** Names and values, with an optional total. */
  | { kind: "facts"; facts: readonly Fact[]; sum?: Fact }
  | { kind: "list"; items: readonly string[] }
  | { kind: "button"; text: string; to: string }
  /** A form to copy, line by line. */
  | { kind: "form"; lines: readonly string[] };

export type Fact = { name: string; value: string };

/** A mail before rendering. */
export type Letter = { subject: string; blocks: readonly Block[] };

/** Where the certificate is posted. */
export const postedTo = ({ recipientName }: Pick<Occasion, "recipientName">): string =>
  recipientName === undefined
    ? "to the address you gave us"
    : `to ${recipientName}, at the address you gave us`;

export const paragraph = (...content: readonly Inline[]): Block => ({ kind: "paragraph", content });
export const heading = (text: string): Block => ({ kind: "heading", text });
export const facts = (...list: readonly Fact[]): Block => ({ kind: "facts", facts: list });
export const list = (...items: readonly string[]): Block => ({ kind: "list", items });
export const button = (text: string, to: string): Block => ({ kind: "button", text, to });

/** Template of one kind of mail. A change of wording is a new version: the log records which was sent. */
export type Template<Facts> = { readonly version: number; readonly write: (facts: Facts) => Letter };

/** Only what names are written with: anything else may look like an address, or begin another line. */
const looksLikeName = /^[\p{L}\p{M}'’.,& -]{1,60}$/u;
const holdsDomain = /\.[\p{L}\p{M}]{2,}/u;

/** Whom to greet in a mail that anyone can have sent to any address: a name, and no advertisement. */
export const greetingOf = (name: string): string =>
  looksLikeName.test(name) && !holdsDomain.test(name) ? name : "customer";

type Address = {
  readonly to: string;
  readonly name: string;
  /** Shown under the heading, with its value in the subject: `Order`, and its number. Undefined: neither. */
  readonly reference: Fact | undefined;
  /** The customer's own, shown beside it. */
  readonly customerReference?: string | undefined;
  readonly company: Company;
  /** Permanent id of the mail: the template, and its event. */
  readonly messageId: string;
  /** Whose mails mail programs show as one conversation. */
  readonly thread: MailSubject;
  readonly returnTo: string | undefined;
};

/** A complete mail, with the same content in text and HTML. */
export function addressMail(letter: Letter, address: Address): Mail {
  const { to, name, reference, customerReference, company, messageId, thread, returnTo } = address;
  const own = customerReference === undefined ? [] : [{ name: "Your reference", value: customerReference }];
  const head = {
    name,
    own,
    references: [...(reference ? [reference] : []), ...own],
    mayAnswer: returnTo !== undefined,
  };
  return {
    to,
    subject: reference ? `${letter.subject} (${reference.value})` : letter.subject,
    text: renderText(letter, head, company),
    html: renderHtml(letter, head, company),
    messageId,
    thread: `${thread.kind}.${thread.id}`,
    returnTo,
  };
}

/**
 * Builds a port for writing mails from a table of templates and a function that writes one; undefined without a
 * recipient.
 */
export const composerOf = <Name extends string, Occasion extends { readonly template: Name }>(
  templates: Readonly<Record<Name, { readonly version: number }>>,
  write: (occasion: Occasion) => Mail | undefined,
) => ({
  compose: (occasion: Occasion) => ({
    templateVersion: templates[occasion.template].version,
    mail: write(occasion),
  }),
});

/** The site's light colours: mail programs support no variables, and many drop style sheets. */
const ink = "#1B1A24";
const muted = "#57546A";
const hairline = "#DDD9D0";
const paper = "#FBFAF7";
const surface = "#FFFFFF";
const primary = "#3D35A8";
const sans = "'Inter Variable', Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const serif = "'Newsreader Variable', Newsreader, Georgia, 'Times New Roman', serif";
const mono = "'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace";

const link = (text: string, to: string): Html => html`<a href="${to}" style="color:${primary}">${text}</a>`;
const words = (content: readonly Inline[]): Html =>
  html`${content.map((part) => (typeof part === "string" ? part : link(part.link, part.to)))}`;

const fact = ({ name, value }: Fact, strong: boolean): Html => html`
<div style="padding:6px 0;border-top:1px ${strong ? "solid" : "dotted"} ${strong ? ink : hairline};font-weight:${strong ? "600" : "400"}"><span style="margin-right:16px;color:${strong ? ink : muted}">${name}</span> <span style="float:right;font-variant-numeric:tabular-nums">${value}</span><span style="display:block;clear:both"></span></div>`;

function block(part: Block): Html {
  switch (part.kind) {
    case "paragraph":
      return html`<p style="margin:0 0 16px">${words(part.content)}</p>`;
    case "heading":
      return html`<h2 style="margin:32px 0 8px;font-family:${serif};font-size:22px;font-weight:500;line-height:1.15">${part.text}</h2>`;
    case "facts":
      return html`<div style="margin:0 0 16px">${part.facts.map((one) => fact(one, false))}${part.sum ? fact(part.sum, true) : ""}</div>`;
    case "list":
      return html`<ul style="margin:0 0 16px;padding-left:20px">${part.items.map((item) => html`<li style="margin:0 0 4px">${item}</li>`)}</ul>`;
    case "button":
      return html`<p style="margin:24px 0"><a href="${part.to}" style="display:inline-block;padding:12px 20px;border-radius:4px;background:${primary};color:#FFFFFF;font-weight:500;text-decoration:none">${part.text}</a></p>`;
    case "form":
      return html`<div style="margin:0 0 16px;padding:16px;border:1px solid ${hairline};border-radius:4px;background:${paper};font-size:14px">${part.lines.map((text) => html`<p style="margin:0 0 8px">${text}</p>`)}</div>`;
  }
}

const about = (references: readonly Fact[]): Html =>
  html`<p style="margin:0 0 24px;color:${muted};font-size:14px">${references.map(
    ({ name, value }, index) =>
      html`${index === 0 ? "" : " · "}${name} <span style="font-family:${mono}${index === 0 ? "" : ";overflow-wrap:anywhere"}">${value}</span>`,
  )}</p>`;

/** The HTML part of a mail about an order or a ticket: one column, no images, no external resources. */
const renderHtml = (
  letter: Letter,
  { name, references, mayAnswer }: { name: string; references: readonly Fact[]; mayAnswer: boolean },
  company: Company,
): string =>
  html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${letter.subject}</title>
</head>
<body style="margin:0;padding:24px 12px;background:${paper};color:${ink};font-family:${sans};font-size:16px;line-height:1.5">
<div style="max-width:600px;margin:0 auto">
<p style="margin:0 0 16px;font-family:${serif};font-size:22px">${company.tradingName}</p>
<div style="padding:32px 24px;border:1px solid ${hairline};border-radius:4px;background:${surface}">
<h1 style="margin:0 0 8px;font-family:${serif};font-size:28px;font-weight:500;line-height:1.15">${letter.subject}</h1>
${references.length > 0 ? about(references) : ""}
<p style="margin:0 0 16px">Dear ${name},</p>
${letter.blocks.map(block)}
${mayAnswer ? block(paragraph(answerWords)) : ""}
</div>
<div style="padding:16px 0;color:${muted};font-size:14px">
<p style="margin:0 0 8px">${company.tradingName} · ${contactLines(company).map((line, index) => [index === 0 ? "" : " · ", line === company.supportEmail ? link(line, `mailto:${line}`) : line])}</p>
${registrationLines(company).map((line) => html`<p style="margin:0 0 8px">${line}</p>`)}
<p style="margin:0">${notAffiliated(company)}</p>
</div>
</div>
</body>
</html>`.markup;

const plainWords = (content: readonly Inline[]): string =>
  content.map((part) => (typeof part === "string" ? part : `${part.link} (${part.to})`)).join("");
const plainLine = ({ name, value }: Fact): string => `${name}: ${value}`;

function plainBlock(part: Block): string {
  switch (part.kind) {
    case "paragraph":
      return plainWords(part.content);
    case "heading":
      return `${part.text}\n${"-".repeat(part.text.length)}`;
    case "facts":
      return [...part.facts, ...(part.sum ? [part.sum] : [])].map(plainLine).join("\n");
    case "list":
      return part.items.map((item) => `* ${item}`).join("\n");
    case "button":
      return `${part.text}:\n${part.to}`;
    case "form":
      return part.lines.join("\n");
  }
}

const renderText = (
  letter: Letter,
  { name, own, mayAnswer }: { name: string; own: readonly Fact[]; mayAnswer: boolean },
  company: Company,
): string =>
  [
    `Dear ${name},`,
    ...own.map(plainLine),
    ...letter.blocks.map(plainBlock),
    ...(mayAnswer ? [answerWords] : []),
    [company.tradingName, ...contactLines(company), ...registrationLines(company)].join("\n"),
    notAffiliated(company),
  ].join("\n\n");

/** Ends every mail whose return address is read. */
const answerWords = "You can reply to this email: a person will read what you write.";

/** Footer of every mail. */
const notAffiliated = ({ tradingName }: Company): string =>
  `${tradingName} is a private company. It is not affiliated with the General Register Office or any other government body.`;
