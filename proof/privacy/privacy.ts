import { randomBytes } from "node:crypto";
import { byteNeedles } from "../../testing/vault/raw-scan.ts";
import { backUp, type Restored, restore } from "./backup.ts";
import { askAndDespatch, eachOf, leaveUnpaid, mails, order, untilCounted } from "./customers.ts";
import { type Kill, killThrough, peopleFor, purgeSeconds, untilPurged } from "./kills.ts";
import { nameOf, type Recognisable, recognisable, soughtOf } from "./people.ts";
import { type Leak, leakInFiles, leakInPostgres } from "./planted.ts";
import { createScanner, type Found, type Scan, type Scanner, type Sought } from "./scanner.ts";
import { openSite, type Site } from "./site.ts";
import { erase } from "./staff.ts";

type PrivacyOptions = {
  /** Who order, pay, are submitted and purged. */
  readonly people: number;
  /** How often the product is killed, with three more people each time. */
  readonly kills: number;
  readonly seed: number;
  readonly redis: boolean;
  readonly purgeAfterSeconds: number;
  readonly onStage?: (words: string) => void;
};

type PrivacyReport = {
  readonly people: number;
  readonly events: number;
  /** All that was written, but the key folders and what the GRO received. */
  readonly scanned: Omit<Scan, "found">;
  readonly patterns: number;
  readonly keys: { readonly destroyed: number; readonly alive: number };
  /** People whose words for the GRO were all found in what it received. */
  readonly drained: number;
  readonly leaks: number;
  /** Emails with a file that came in, and conversations that were purged on request, those by email among them. */
  readonly mails: number;
  readonly conversationsPurged: number;
  readonly kills: readonly Kill[];
  readonly purges: { readonly count: number; readonly slowestSeconds: number };
  readonly restored: Omit<Restored, "words">;
  /** Empty when every claim holds and every control was seen. */
  readonly findings: readonly string[];
};

const atOnce = 6;
/** The latest: the others' certificates may be in the post already. */
const mostAsked = 6;
const mostErased = 6;
/** Their orders are fewer than the sandbox's GRO remembers. */
const drainEvery = 100;
const mostInBackup = 24;
const promisedSeconds = 180;

const ordersOf = (people: readonly Recognisable[]): number =>
  people.reduce((sum, { bodies }) => sum + bodies.variants.length, 0);

/** Lets people order through the whole product until purged, then searches everything that was written on the way. */
export async function provePrivacy(options: PrivacyOptions): Promise<PrivacyReport> {
  const { seed, onStage = () => undefined } = options;
  let known = 0;
  const some = (count: number) => Array.from({ length: count }, () => recognisable(seed, known++));
  const few = Math.max(4, Math.min(mostInBackup, Math.ceil(options.people / 10)));
  const [paying, killed, late, unpaid] = [
    some(options.people),
    some(peopleFor(options.kills)),
    some(few),
    some(few),
  ];
  const [leaked] = some(1) as [Recognisable];
  const paid = [...paying, ...killed, ...late];

  await using site = await openSite(options);
  onStage("ordering");
  for (let from = 0; from < paying.length; from += drainEvery) {
    await eachOf(paying.slice(from, from + drainEvery), atOnce, (person) => order(site, person));
    await untilCounted(site, "SubmittedToGRO", ordersOf(paying.slice(0, from + drainEvery)));
    await site.drain();
  }
  await eachOf(unpaid, atOnce, (person) => leaveUnpaid(site, person));
  await untilPurged(site, ordersOf(paying));
  await askAndDespatch(site, paying.slice(-mostAsked));
  onStage("erasing");
  const conversationsPurged = await erase(site, paying.filter(mails).slice(0, mostErased));
  await untilCounted(site, "TicketPurged", conversationsPurged);
  onStage("killing");
  const kills = await killThrough(site, killed, options.kills, seed);
  onStage("backing up");
  await eachOf(late, atOnce, (person) => order(site, person));
  // Purges of theirs are due, and none can run before the backup is complete.
  await site.whilePaused(() => backUp(site));
  await untilPurged(site, ordersOf(paid));

  const seconds = await purgeSeconds(site);
  const keys = await site.keyWatch.keys(site.pool);
  const { rows } = await site.pool.query<{ n: number }>("select count(*) as n from events");
  const sentMails = paid.filter(mails).length;
  const mailsHeld = await mailsIn(site);
  const planted = { of: "a planted key", needles: byteNeedles(randomBytes(32)) };
  const leaks = await leakInPostgres(site, leaked);
  await site.end();
  leaks.push(...leakInFiles(site, leaked, planted.needles[0]?.bytes ?? Buffer.alloc(0)));

  onStage("scanning");
  const people = [...paid, ...unpaid, leaked].flatMap(soughtOf);
  const sought = [...people, planted, ...keys.destroyed, ...keys.alive];
  const scanner = createScanner(sought);
  const search = searchAll(site, scanner, {
    leaks,
    leaked: new Set([planted.of, ...soughtOf(leaked).map(({ of }) => of)]),
    alive: keys.alive,
  });
  const drained = drainedPeople(site, scanner, paying);
  onStage("restoring");
  const destroyed = new Set(keys.destroyed.map(({ recordId }) => recordId));
  const { words, ...restored } = await restore(site, destroyed, scanner);

  const slowestSeconds = Math.max(...seconds);
  const findings = [
    ...search.findings,
    ...(drained === paying.length ? [] : [`Control: only ${drained} people are in what the GRO received.`]),
    ...(seconds.length === ordersOf(paid)
      ? []
      : [`${seconds.length} of ${ordersOf(paid)} orders were purged.`]),
    ...(mailsHeld === sentMails ? [] : [`Control: ${mailsHeld} of ${sentMails} emails came in.`]),
    ...(slowestSeconds <= promisedSeconds ? [] : [`A purge took ${slowestSeconds} s.`]),
    ...restoreFindings(restored, words, paid, unpaid),
  ];
  return {
    people: paid.length + unpaid.length,
    events: rows[0]?.n ?? 0,
    scanned: search.scanned,
    patterns: sought.reduce((sum, { needles }) => sum + needles.length, 0),
    keys: { destroyed: keys.destroyed.length, alive: keys.alive.length },
    drained,
    leaks: leaks.length,
    mails: mailsHeld,
    conversationsPurged,
    kills,
    purges: { count: seconds.length, slowestSeconds },
    restored,
    findings,
  };
}

/** Emails whose original was sealed. */
async function mailsIn({ pool }: Site): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "select count(*)::integer as n from events where type = 'TicketOpened' and data #>> '{mail,originalRef}' is not null",
  );
  return rows[0]?.n ?? 0;
}

type Expected = {
  readonly leaks: readonly Leak[];
  readonly leaked: ReadonlySet<string>;
  readonly alive: readonly Sought[];
};

function searchAll({ folders }: Site, scanner: Scanner, { leaks, leaked, alive }: Expected) {
  const { data, redis, temporary, told, keys, mirror } = folders;
  const { found, ...scanned } = scanner.scanFolders([data, redis, temporary, told]);
  const isLeak = ({ of }: Found) => leaked.has(of);
  const planted = found.filter(isLeak);
  const unseen = leaks.filter(
    ({ where, encoding }) => !planted.some((one) => one.place.includes(where) && encoding.test(one.encoding)),
  );
  const living = new Set(alive.map(({ of }) => of));
  const inKeyFolders = [keys, mirror].map((folder) => scanner.scanFolders([folder]).found);
  return {
    scanned,
    findings: [
      ...found.filter((one) => !isLeak(one)).map(wordsFor),
      ...inKeyFolders.flat().flatMap((one) => (living.has(one.of) ? [] : [wordsFor(one)])),
      ...unseen.map(({ where, encoding }) => `Control: the leak in ${where} was not found, ${encoding}.`),
      ...inKeyFolders.flatMap((inFolder) => {
        const seen = new Set(inFolder.map(({ of }) => of));
        return alive.filter(({ of }) => !seen.has(of)).map(({ of }) => `Control: the ${of} was not found.`);
      }),
    ],
  };
}

const wordsFor = ({ of, encoding, place }: Found): string => `${of} is in ${place}, ${encoding}.`;

/** How many have all that was sent to the GRO in what it received. */
function drainedPeople({ folders }: Site, scanner: Scanner, people: readonly Recognisable[]): number {
  const found = new Set(scanner.scanFolders([folders.drained]).found.map(({ of }) => of));
  const isThere = ({ nth, sent }: Recognisable) =>
    [...sent.application, ...sent.contact].every((word) => found.has(nameOf(nth, word)));
  return people.filter(isThere).length;
}

/** What a purge destroyed stays so, and nothing else is lost. */
function restoreFindings(
  { destroyed, givenBack, kept, readable }: Omit<Restored, "words">,
  words: readonly Found[],
  purged: readonly Recognisable[],
  unpaid: readonly Recognisable[],
): string[] {
  const found = new Set(words.map(({ of }) => of));
  const has = ({ nth, sent }: Recognisable) =>
    sent.application.filter((word) => found.has(nameOf(nth, word))).length;
  return [
    ...(givenBack === 0 ? [] : [`The backup gave ${givenBack} destroyed records back.`]),
    ...purged.filter((person) => has(person) > 0).map(({ nth }) => `The backup gave person ${nth} back.`),
    ...(destroyed > 0 ? [] : ["Control: nothing in the backup was destroyed after it."]),
    ...(readable === kept ? [] : [`Control: ${readable} of ${kept} other records can be read.`]),
    ...unpaid
      .filter((person) => has(person) < person.sent.application.length)
      .map(({ nth }) => `Control: the application of person ${nth} is not in the backup.`),
  ];
}
