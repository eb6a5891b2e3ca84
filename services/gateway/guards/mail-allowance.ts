import { randomBytes } from "node:crypto";
import { RateLimiterRes } from "rate-limiter-flexible";
import { comparableEmail } from "../../../domain/ticket/held-texts.ts";
import { CountsInMemory, digestsBy, limiterOf, mostAddresses, type SharedCounts } from "./counts.ts";

/** Most mails an hour to one address that a stranger typed. */
const mostMailsToOneAddress = 5;

/** Most mails an hour that come in from one sender without a return address of ours. */
const mostMailsOfOneSender = 5;

/** Most mails an hour that come in without a return address of ours; a large one counts as several. */
const mostUnverifiedMails = 200;
const bytesOfOneMail = 2_500_000;

/** Counts a mail to an address that a stranger typed. False once an hour's are used up. */
export type AllowsMail = (email: string) => Promise<boolean>;

/** Counts like `createLimit`, by digests of the addresses alone. */
export function createMailLimit(shared?: SharedCounts, most = mostAddresses): AllowsMail {
  const { count } = mailsAnHour("recipients", mostMailsToOneAddress, shared, most);
  return async (email) => (await count(email)) === 0;
}

/** Mail that comes in without a return address of ours, and that we acknowledge. */
export type UnverifiedMailLimit = {
  /** Counts a mail and returns 0, or does not count it and returns for how many milliseconds an allowance is used up. */
  readonly count: (email: string, bytes: number) => Promise<number>;
  /** For how many milliseconds what is allowed of all senders is used up; 0 if it is not. */
  readonly usedUpForMs: () => Promise<number>;
};

/** Its sender is easily made up, so all of it counts together as well. */
export function createUnverifiedMailLimit(shared?: SharedCounts): UnverifiedMailLimit {
  const ofSender = mailsAnHour("mail-senders", mostMailsOfOneSender, shared, mostAddresses);
  const ofAll = mailsAnHour("unverified-mail", mostUnverifiedMails, shared, 1);
  return {
    count: async (email, bytes) => {
      const waitMs =
        (await ofSender.count(email)) || (await ofAll.count("all", Math.ceil(bytes / bytesOfOneMail)));
      if (waitMs > 0) ofSender.giveBack(email);
      return waitMs;
    },
    usedUpForMs: () => ofAll.count("all", 0),
  };
}

function mailsAnHour(name: string, points: number, shared: SharedCounts | undefined, most: number) {
  const counts = new CountsInMemory({ keyPrefix: name, points, duration: 3600 }, most);
  const limiter = limiterOf(name, counts, shared?.redis);
  const digest = digestsBy(shared?.addressKey ?? randomBytes(32));
  const counted = (email: string) => digest(comparableEmail(email));
  return {
    /** @returns 0, or above the limit the milliseconds until the hour is over */
    count: async (email: string, mails = 1): Promise<number> => {
      try {
        await limiter.count(counted(email), mails);
        return 0;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, refusal.msBeforeNext);
      }
    },
    giveBack: (email: string): void => limiter.giveBack(counted(email)),
  };
}
