import { z } from "zod";
import * as field from "./fields.ts";
import { addSeconds, before, type Instant } from "./instant.ts";

/**
 * Why a mail came back. `hard`: its address takes no mail. `soft`: not at present. `spam`: its content was refused.
 * `complaint`: it arrived, and its recipient reported it as unwanted.
 */
export const bounceKind = z.enum(["hard", "soft", "spam", "complaint"]);
export type BounceKind = z.infer<typeof bounceKind>;

/**
 * Why a mail was not sent. `refused`: the mail server does not take it, or it has no address any more. `unreachable`: an
 * earlier mail to the address came back. `unwanted`: its recipient reported an earlier one, and the law does not ask for
 * this one.
 */
export const undeliverableBecause = z.enum(["refused", "unreachable", "unwanted"]);
export type UndeliverableBecause = z.infer<typeof undeliverableBecause>;

export const mailResult = z.enum(["sent", ...undeliverableBecause.options]);
export type MailResult = z.infer<typeof mailResult>;

/** A mail: what it says, and the id of the event it reports. */
interface NamedMail<Template extends string> {
  readonly template: Template;
  readonly about: string;
}

interface KeptMail<Template extends string> extends NamedMail<Template> {
  /** When it was first owed. */
  readonly since: Instant;
  /** How often it was owed before; absent the first time. */
  readonly tries?: number;
  /** How often in a row it came back softly; absent if never. */
  readonly soft?: number;
}

interface OwedMail<Template extends string> extends KeptMail<Template> {
  /** The replaced record of the address it goes to; absent from mails to the current address. */
  readonly contactRef?: string;
  /** When it is tried again after it came back softly. */
  readonly notBefore?: Instant;
}

interface SentMail<Template extends string> extends KeptMail<Template> {
  /** It went to an address that was corrected since. */
  readonly former?: true;
}

interface UndeliveredMail<Template extends string> extends KeptMail<Template> {
  readonly because: UndeliverableBecause | "hard" | "spam";
}

/** The mails of an order or a ticket. */
export interface Mails<Template extends string> {
  readonly owed: readonly OwedMail<Template>[];
  /** Those that went out and have not come back. */
  readonly sent: readonly SentMail<Template>[];
  /** Those that did not reach the current address; absent if there were none. */
  readonly undelivered?: readonly UndeliveredMail<Template>[];
  /** Its recipient reported a mail as unwanted; absent otherwise. */
  readonly unwanted?: true;
}

/** What an order or a ticket says of one of its mails. */
export interface MailRules<Template extends string> {
  /** False once nobody can be written to: the address is purged. */
  readonly hasAddress: boolean;
  /** Whether a mail that did not arrive still says what is so. */
  isTrue(mail: KeptMail<Template>): boolean;
  /** Whether it is sent to someone who reported an earlier mail as unwanted. */
  isNeeded(mail: NamedMail<Template>): boolean;
}

const isSame =
  <Template extends string>({ template, about }: NamedMail<Template>) =>
  (mail: NamedMail<Template>): boolean =>
    mail.template === template && mail.about === about;

/** The same mails and one more to send. */
export const owe = <Template extends string>(
  mails: Mails<Template>,
  template: NoInfer<Template>,
  about: string,
  since: Instant,
): Mails<Template> => ({ ...mails, owed: [...mails.owed, { template, about, since }] });

/** The same mails without those of a template that are still to send: what they would say is no longer true. */
export const forget = <Template extends string>(
  mails: Mails<Template>,
  template: NoInfer<Template>,
): Mails<Template> => ({
  ...mails,
  owed: mails.owed.filter((mail) => mail.template !== template),
});

/** A mail went out, or could not be delivered: either way it is no longer owed. */
export function closeMail<Template extends string>(
  mails: Mails<Template>,
  { template, about }: NamedMail<NoInfer<Template>>,
  result: MailResult,
  at: Instant,
  goesToPrevious = false,
): Mails<Template> {
  const is = isSame<Template>({ template, about });
  const owed = mails.owed.find(is);
  const kept = keptOf(owed ?? mails.undelivered?.find(is) ?? { template, about, since: at });
  const others = mails.undelivered?.filter((mail) => !is(mail));
  const rest = { ...mails, owed: mails.owed.filter((mail) => !is(mail)) };
  const isFormer = goesToPrevious || owed?.contactRef !== undefined;
  if (result === "sent") {
    const sent = [...mails.sent, { ...kept, ...(isFormer && { former: true as const }) }];
    return { ...rest, sent, ...(others && { undelivered: others }) };
  }
  return isFormer ? rest : { ...rest, undelivered: [...(others ?? []), { ...kept, because: result }] };
}

const keptOf = <Template extends string>({ template, about, since, tries, soft }: KeptMail<Template>) => ({
  template,
  about,
  since,
  ...(tries !== undefined && { tries }),
  ...(soft !== undefined && { soft }),
});

/** Whether a bounce says something that is not known yet, of a mail that was sent. */
export const isNewBounce = <Template extends string>(
  mails: Mails<Template>,
  { kind, ...mail }: NamedMail<NoInfer<Template>> & { readonly kind: BounceKind },
): boolean => {
  const sent = mails.sent.find(isSame<Template>(mail));
  return kind === "complaint" ? !mails.unwanted && !sent?.former : sent !== undefined;
};

/** Hours after which a mail that came back softly is tried again. The fourth time counts as a hard bounce. */
const hoursUntilTriedAgain = [1, 6, 24];

/** A mail came back, or was reported as unwanted. */
export function bounced<Template extends string>(
  mails: Mails<Template>,
  { kind, ...named }: NamedMail<NoInfer<Template>> & { readonly kind: BounceKind },
  at: Instant,
  { hasAddress, isTrue }: MailRules<NoInfer<Template>>,
): Mails<Template> {
  if (kind === "complaint") return { ...mails, unwanted: true };
  const is = isSame<Template>(named);
  const mail = mails.sent.find(is);
  if (!mail) return mails;
  const rest = { ...mails, sent: mails.sent.filter((other) => !is(other)) };
  const isTriable = hasAddress && isTrue(mail);
  if (mail.former) return isTriable ? oweAgain(rest, { ...mail, soft: 0 }, at) : rest;
  const soft = kind === "soft" ? (mail.soft ?? 0) + 1 : 0;
  const hours = hoursUntilTriedAgain[soft - 1];
  if (hours === undefined) {
    const undelivered = { ...keptOf(mail), because: kind === "spam" ? kind : ("hard" as const) };
    return { ...rest, undelivered: [...(mails.undelivered ?? []), undelivered] };
  }
  return isTriable ? oweAgain(rest, { ...mail, soft }, addSeconds(at, hours * 3600)) : rest;
}

function oweAgain<Template extends string>(
  mails: Mails<Template>,
  mail: KeptMail<Template>,
  notBefore: Instant,
): Mails<Template> {
  const { soft, ...kept } = keptOf(mail);
  const owed = { ...kept, tries: (mail.tries ?? 0) + 1, notBefore, ...(soft && { soft }) };
  return { ...mails, owed: [...mails.owed, owed] };
}

/**
 * The address was corrected, or confirmed as right: what did not reach it is owed again while it is true. Mails that the
 * recipient of the same address does not want stay unsent for that reason alone.
 */
export function readdressed<Template extends string>(
  mails: Mails<Template>,
  emailChanged: boolean,
  at: Instant,
  { isTrue, isNeeded }: MailRules<NoInfer<Template>>,
): Mails<Template> {
  const { undelivered = [], unwanted, owed, sent } = mails;
  const isStopped = (mail: NamedMail<Template>) => unwanted === true && !emailChanged && !isNeeded(mail);
  const stopped = undelivered.filter(isStopped).map((mail) => ({ ...mail, because: "unwanted" as const }));
  const addressed: Mails<Template> = {
    // What waits to be tried again is tried at once.
    owed: owed.map(({ soft: _, ...mail }) =>
      mail.notBefore === undefined ? mail : { ...mail, notBefore: at },
    ),
    sent: emailChanged ? sent.map((mail) => ({ ...mail, former: true })) : sent,
    ...(stopped.length > 0 && { undelivered: stopped }),
    ...(unwanted && !emailChanged && { unwanted }),
  };
  return undelivered
    .filter((mail) => !isStopped(mail) && isTrue(mail))
    .reduce((all, mail) => oweAgain(all, { ...mail, soft: 0 }, at), addressed);
}

/** True once a mail to the current address came back for good. Nothing is sent there until it is corrected. */
export const isUnreachable = <Template extends string>({ undelivered = [] }: Mails<Template>): boolean =>
  undelivered.some(({ because }) => because === "hard");

/** Mails that did not arrive, and may when they are sent again, or to another address. */
export const resendable = <Template extends string>({ undelivered = [] }: Mails<Template>) =>
  undelivered.filter(({ because }) => because !== "unwanted");

/** Those of them that still say what is so. */
export const missedOf = <Template extends string>(
  mails: Mails<Template>,
  { hasAddress, isTrue }: MailRules<NoInfer<Template>>,
) => (hasAddress ? resendable(mails).filter(isTrue) : []);

/** Why a mail that is owed is not sent; undefined if it is. */
export function stopOf<Template extends string>(
  mails: Mails<Template>,
  mail: OwedMail<NoInfer<Template>>,
  { isNeeded }: Pick<MailRules<NoInfer<Template>>, "isNeeded">,
): UndeliverableBecause | undefined {
  if (mail.contactRef !== undefined) return undefined;
  if (isUnreachable(mails)) return "unreachable";
  return mails.unwanted && !isNeeded(mail) ? "unwanted" : undefined;
}

/**
 * Whether a result is still worth recording: not of a mail that is known to have been sent or to be undeliverable, nor
 * that it was stopped, once nothing stops it any more.
 */
export function isNewResult<Template extends string>(
  mails: Mails<Template>,
  { result, ...named }: NamedMail<NoInfer<Template>> & { readonly result: MailResult },
  rules: Pick<MailRules<NoInfer<Template>>, "isNeeded">,
): boolean {
  const is = isSame<Template>(named);
  if (mails.sent.some(is)) return false;
  if (result === "sent") return true;
  if (result === "refused") return !mails.undelivered?.some(is);
  const owed = mails.owed.find(is);
  return owed !== undefined && stopOf(mails, owed, rules) === result;
}

/**
 * Whether a mail is owed and due: it may have left, and its record be on its way. What is said of it meanwhile is to be
 * said again.
 */
export function isUnderWay<Template extends string>(
  mails: Mails<Template>,
  mail: NamedMail<NoInfer<Template>>,
  now: Instant,
): boolean {
  const owed = mails.owed.find(isSame<Template>(mail));
  return owed !== undefined && !before(now, owed.notBefore ?? owed.since);
}

/** Every mail that may have left, to find the one that a return address names. */
export const knownMails = <Template extends string>({ owed, sent, undelivered = [] }: Mails<Template>) =>
  [...owed, ...sent, ...undelivered].map(({ template, about }) => ({ template, about }));

/** The name of the task of sending a mail: another one each time that it is owed. */
export const mailTaskName = ({ template, about, tries }: OwedMail<string>): string =>
  `mail-${template}-${about}${tries === undefined ? "" : `-${tries + 1}`}`;

/** An event's data: a mail that was sent. */
export const mailOf = <Template extends z.ZodType>(template: Template) =>
  z.strictObject({
    template,
    templateVersion: field.ordinal,
    /** The id of the event it reports. */
    about: field.id,
  });

/** The schema of an event: a mail that could not be delivered. Version 1 knew only refused addresses. */
export const undeliverableMail = <Template extends z.ZodType>(template: Template) => ({
  version: 2,
  upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, because: "refused" }) },
  data: mailOf(template).extend({ because: undeliverableBecause }),
});

/** A command's data: what came of sending it. */
export const sentMail = <Template extends z.ZodType>(template: Template) =>
  mailOf(template).extend({ result: mailResult });

/** The data of a command and its event: a mail that came back, or was reported as unwanted. */
export const mailBounce = <Template extends z.ZodType>(template: Template) =>
  z.strictObject({
    template,
    about: field.id,
    kind: bounceKind,
    code: field.bounceCode,
  });
