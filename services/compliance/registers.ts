import { createHash } from "node:crypto";
import { stringify } from "csv-stringify/sync";
import type { z } from "zod";
import * as audit from "../../contract/compliance/audit.ts";
import type { exportedTable, signedExport } from "../../contract/compliance/registers.ts";
import * as registers from "../../contract/compliance/registers.ts";
import type { Read } from "../../contract/request.ts";
import { orderStream } from "../../domain/order/events.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import { draftStream } from "../../domain/saved-draft/events.ts";
import { ticketStream } from "../../domain/ticket/events.ts";
import type { Signer } from "../../infra/audit/signer-keys.ts";
import { faultOf } from "../../infra/process/log.ts";
import { parseProofBundle } from "../../infra/transparency/formats/proof-bundle.ts";
import { formatProofFile } from "../../infra/transparency/formats/proof-file.ts";
import type { PurgeEntry } from "../../projections/registers/purge-register.ts";
import type { RegisterCursor, RegisterPage } from "../../projections/registers/register-queries.ts";
import { csvOptions } from "../documents/csv.ts";
import { invalidFields, notFound, proofNotReady } from "../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { staffRoute } from "../gateway/route.ts";
import {
  presentAccess,
  presentAccessLog,
  presentAudit,
  presentDue,
  presentParked,
  presentProcessing,
  presentPurge,
  presentPurges,
  presentRetention,
} from "./present-compliance.ts";
import { processingRecord, retentionSchedule } from "./processing-record.ts";

/** More than this many at once are an incident rather than a list; the oldest are shown. */
const mostListed = 500;

export const listPurges = staffRoute(registers.listPurges, ({ queries }) => async ({ body }) => ({
  body: presentPurges(await queries.listPurges(body)),
}));

export const listAccess = staffRoute(registers.listAccess, ({ queries, directory }) => async ({ body }) => {
  const page = await queries.listLooks(body);
  const nameOf = await directory.namesOf(page.entries.map(({ staffId }) => staffId));
  return { body: presentAccessLog(page, nameOf) };
});

export const showDuePurges = staffRoute(
  registers.listDuePurges,
  ({ outstandingPurges, queries }) =>
    async () => {
      const due = await outstandingPurges(mostListed);
      return { body: presentDue(due, await queries.numbersOf(due.map(({ subjectId }) => subjectId))) };
    },
);

export const showAudit = staffRoute(audit.showAudit, ({ auditor, signer }) => async () => ({
  body: presentAudit(await auditor.standing(), signer.publicKeyPem),
}));

/** Answers at once; the result appears in the list of runs. */
export const startAudit = staffRoute(audit.startAudit, ({ auditor, signer, deps }) => async () => {
  auditor
    .auditWhole()
    .catch((error: unknown) =>
      deps.log.error({ fault: faultOf(error) }, "the whole log could not be audited"),
    );
  return { body: presentAudit(await auditor.standing(), signer.publicKeyPem) };
});

export const listParked = staffRoute(audit.listParked, (dependencies) => async () => ({
  body: await parkedNow(dependencies),
}));

/** Answers at once; streams that resume disappear from the list a moment later. */
export const retryParked = staffRoute(audit.retryParked, (dependencies) => async ({ by }) => {
  const asked = await dependencies.parkedRecords.retry();
  dependencies.deps.log.info({ asked, staffId: by.userId }, "parked records are to be tried again");
  return { body: await parkedNow(dependencies) };
});

async function parkedNow({ parkedRecords, queries }: HandlerDependencies) {
  const parked = await parkedRecords.list(mostListed);
  return presentParked(parked, await queries.numbersOf(parked.flatMap(({ subject }) => subject?.id ?? [])));
}

export const showRetention = staffRoute(registers.showRetention, ({ retention }) => async () => ({
  body: presentRetention(retentionSchedule(retention)),
}));

/** The record of processing activities, with the controller. */
export const showProcessing = staffRoute(registers.showProcessing, ({ settings, retention }) => async () => ({
  body: presentProcessing(settings.current().company, processingRecord(retention.submissionByHand ?? false)),
}));

/** A signature needs the whole table in memory: 100,000 rows are about 30 MB. */
const mostRows = 100_000;
const perPage = 1_000;

/** The list's entries under the same filters, as a signed file. */
export const exportRegister = staffRoute(
  registers.exportRegister,
  (dependencies) =>
    async ({ body: asked }) => {
      const rows = await rowsOf(dependencies, asked);
      // The file has every line, regardless of the page requested.
      const { register, after: _after, limit: _limit, ...only } = asked;
      const madeAt = dependencies.deps.now().toISOString();
      const csv = stringify(rows, csvOptions);
      const signed = signExport(
        { name: register, only, madeAt, rows: rows.length, csv },
        dependencies.signer,
      );
      const bytes = Buffer.from(`${JSON.stringify(signed, null, 2)}\n`);
      return { file: { name: `${register}-${londonDate(madeAt)}.json`, type: "application/json", bytes } };
    },
);

/** Proving takes some ten milliseconds each. */
const mostProofs = 5_000;

/** The purges among the list's entries, each with its proof; failed attempts have none. */
export const exportPurgeProofs = staffRoute(
  registers.exportPurgeProofs,
  ({ queries, publicLog, deps }) =>
    async ({ body: { id: eventId, ...asked } }) => {
      const entries = await everything(
        (after) => queries.listPurges({ ...asked, eventId, after, limit: perPage }),
        mostProofs,
      );
      const purges = entries.filter(({ outcome }) => outcome === "purged");
      if (eventId !== undefined && purges.length === 0) throw notFound();
      const bundle = await publicLog.proveTogether(
        purges.map(({ subject, eventId }) => ({ stream: streamOf(subject), eventId })),
      );
      if (bundle === undefined) throw proofNotReady();
      const { proofs, checkpoint } = parseProofBundle(bundle);
      const day = londonDate(deps.now().toISOString());
      if (eventId === undefined) return textFile(`purge-proofs-${day}.txt`, bundle);
      const [proof] = proofs;
      if (!proof) throw proofNotReady();
      return textFile(`purge-${eventId.slice(0, 8)}.tlog-proof`, formatProofFile({ ...proof, checkpoint }));
    },
);

const textFile = (name: string, text: string) => ({
  file: { name, type: "text/plain", bytes: Buffer.from(text) },
});

function streamOf({ kind, id }: PurgeEntry["subject"]): string {
  switch (kind) {
    case "order":
      return orderStream(id);
    case "ticket":
      return ticketStream(id);
    default:
      return draftStream(id);
  }
}

type Asked = Read<typeof registers.exportRegister>;

async function rowsOf(
  { queries, directory }: HandlerDependencies,
  asked: Asked,
): Promise<Record<string, unknown>[]> {
  if (asked.register === "purges") {
    const entries = await everything((after) => queries.listPurges({ ...asked, after, limit: perPage }));
    return entries.map(presentPurge).map((row) => ({ ...row, destroyed: row.destroyed.join(" ") }));
  }
  const entries = await everything((after) => queries.listLooks({ ...asked, after, limit: perPage }));
  const nameOf = await directory.namesOf(entries.map(({ staffId }) => staffId));
  return entries.map((entry) => presentAccess(entry, nameOf));
}

/** @throws Problem 422 for more lines than a file can hold */
async function everything<Entry>(
  read: (after: RegisterCursor | undefined) => Promise<RegisterPage<Entry>>,
  most = mostRows,
): Promise<RegisterPage<Entry>["entries"]> {
  const entries: RegisterPage<Entry>["entries"][number][] = [];
  let after: RegisterCursor | undefined;
  do {
    const page = await read(after);
    entries.push(...page.entries);
    if (entries.length > most)
      throw invalidFields({
        from: `Choose a shorter period: a file can hold ${most.toLocaleString("en-GB")} ${most === mostRows ? "rows" : "proofs"}.`,
      });
    after = page.next ?? undefined;
  } while (after);
  return entries;
}

type ExportedTable = Readonly<z.output<typeof exportedTable>>;

type SignedExport = Readonly<z.output<typeof signedExport>>;

/**
 * Signs a table together with its filters and time, so an extract, or last year's file, cannot be passed off as the
 * whole register.
 */
function signExport(table: ExportedTable, signer: Signer): SignedExport {
  const { name, only, madeAt, rows, csv } = table;
  const sha256 = createHash("sha256").update(csv).digest("hex");
  const statement = [
    `Register: ${name}`,
    `Only: ${JSON.stringify(only)}`,
    `Made at: ${madeAt}`,
    `Rows: ${rows}`,
    `SHA-256 of the table: ${sha256}`,
  ].join("\n");
  return {
    ...{ name, only, madeAt, rows, csv, sha256, statement },
    signature: signer.sign(Buffer.from(statement)),
    publicKeyPem: signer.publicKeyPem,
    howToCheck: [
      "jq -r .publicKeyPem export.json > key.pem",
      "jq -r .signature export.json | base64 -d > signature.bin",
      "jq -j .statement export.json | openssl dgst -sha256 -verify key.pem -signature signature.bin",
      'jq -j .statement export.json | grep "$(jq -j .csv export.json | sha256sum | cut -c 1-64)"',
    ].join(" && "),
  };
}
