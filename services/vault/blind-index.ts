import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Client, inDerivedTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { type Findable, type Term, type TermKind, termsOf, typedTerm } from "./index-terms.ts";
import {
  keysToWrite,
  liveKeys,
  type MonthKey,
  type MonthKeyParts,
  withKeyOfThisMonth,
} from "./month-keys.ts";

export type FoundSubject = { readonly kind: "order" | "ticket" | "draft"; readonly id: string };

/** `more`: there are others beyond the limit. */
type Findings = { readonly subjects: readonly FoundSubject[]; readonly more: boolean };

/**
 * Port for finding people. The search text is compared under the keys of the blind index and not stored. Orders can be
 * found once paid, tickets once opened, both until their contact data is purged, and saved drafts until they are;
 * the newest contact data first.
 */
export type Finder = {
  /**
   * @param typed case, accents, spaces and punctuation do not matter; in an email address only case does not
   * @throws RecordUnreadable when a month's key cannot be read
   */
  find(kind: TermKind, typed: string, limit: number): Promise<Findings>;
};

/**
 * A customer is one email address: a random id stored beside the address's terms in the blind index and nowhere else.
 * It stays the same while one of their contact records remains, and goes with the last.
 */
export type Customers = {
  customerOf(email: string): Promise<string | undefined>;
  /** Customer ids by order or ticket id; those without a customer (any more) are left out. */
  customersOf(subjectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Orders, tickets and drafts of a customer, the newest contact data first; none when there is no such customer (any
   * more).
   */
  subjectsOf(customerId: string, limit: number): Promise<Findings>;
};

export type Entry = { readonly subject: FoundSubject; readonly recordId: string; readonly person: Findable };

export type Unindexed = { readonly subjectId: string; readonly recordId: string };

/**
 * Index for finding people: HMACs of their normalised email address, surname and postcode, under a key for each
 * calendar month. The vault removes the rows together with their contact record.
 */
export type BlindIndex = Finder &
  Customers & {
    /** Indexes contact records, each once, or none of them; leaves out what has been erased meanwhile. */
    write(entries: readonly Entry[]): Promise<void>;
    /** The records with contact details of these orders, tickets and drafts that are not in the index. */
    unindexed(subjectIds: readonly string[], database?: Pool | Client): Promise<readonly Unindexed[]>;
    /**
     * By order, the other orders of its customer whose application is not destroyed: of their newest hundred, newest
     * first. Orders without such others are left out.
     */
    othersWithApplication(
      orderIds: readonly string[],
      mostOfEach: number,
    ): Promise<ReadonlyMap<string, readonly string[]>>;
  };

const termBytes = 16;

const subjectRow = z
  .object({ subject: z.uuid(), subject_kind: z.enum(["order", "ticket", "draft"]) })
  .transform((row): FoundSubject => ({ kind: row.subject_kind, id: row.subject }));

/** The index in Postgres, with its keys in the key ring. */
export function createBlindIndex(parts: MonthKeyParts): BlindIndex {
  const { pool } = parts;
  return {
    write: (entries) =>
      withKeyOfThisMonth(parts, () => inDerivedTransaction(pool, (client) => write(parts, client, entries))),
    unindexed: async (subjectIds, database = pool) => {
      const { rows } = await database.query<Unindexed>(
        `select subject as "subjectId", record_id as "recordId" from vault_records v
         where subject = any($1::uuid[]) and kind in ('contact', 'ticketContact', 'savedDraft') and destroyed_at is null
           and not exists (select from blind_index b where b.record_id = v.record_id)`,
        [subjectIds],
      );
      return rows;
    },
    othersWithApplication: async (orderIds, mostOfEach) => {
      const { rows } = await pool.query<{ of: string; subject: string }>({
        name: "others-with-application",
        text: `select own.id as of, found.subject from unnest($1::uuid[]) as own (id) cross join lateral (
            select newest.subject from (
              select distinct other.subject from blind_index b join blind_index other using (customer_id)
              where b.subject = own.id and other.subject <> own.id and other.subject_kind = 'order'
              order by other.subject desc limit 100
            ) as newest
            where exists (select from vault_records v
              where v.subject = newest.subject and v.kind = 'application' and v.destroyed_at is null)
            order by newest.subject desc limit $2
          ) as found`,
        values: [orderIds, mostOfEach],
      });
      const found = Map.groupBy(rows, (row) => row.of);
      return new Map([...found].map(([of, others]) => [of, others.map(({ subject }) => subject)]));
    },
    find: (kind, typed, limit) => find(parts, typedTerm(kind, typed), limit),
    customerOf: async (email) => {
      const term = typedTerm("email", email);
      if (!term) return undefined;
      const known = await withKeys(await liveKeys(parts), (keys) => customersUnder(pool, keys, [term]));
      return known.get(term.text);
    },
    customersOf: async (subjectIds) => {
      const { rows } = await pool.query<{ subject: string; customer_id: string }>(
        // A corrected address may be another customer's: the newest record counts.
        `select b.subject, b.customer_id from blind_index b join vault_records v using (record_id)
         where b.subject = any($1::uuid[]) and b.customer_id is not null order by v.sealed_at`,
        [subjectIds],
      );
      return new Map(rows.map(({ subject, customer_id }) => [subject, customer_id]));
    },
    subjectsOf: async (customerId, limit) => {
      const { rows } = await pool.query(
        `select b.subject, b.subject_kind from blind_index b join vault_records v using (record_id)
         where b.customer_id = $1
         group by b.subject, b.subject_kind order by max(v.sealed_at) desc, b.subject limit $2`,
        [customerId, limit + 1],
      );
      return findingsOf(rows, limit);
    },
  };
}

async function write(parts: MonthKeyParts, client: Client, entries: readonly Entry[]): Promise<void> {
  const found = entries.map(({ person, ...entry }) => ({ ...entry, terms: termsOf(person) }));
  const { current, keys } = await keysToWrite(parts, client);
  await withKeys(keys, async () => {
    const rows = found.flatMap(({ terms, recordId, subject }) =>
      terms.map((term) => ({ recordId, subject, term, hash: hashOf(current.key, term) })),
    );
    const emails = rows.map(({ term }) => term).filter(({ kind }) => kind === "email");
    const customers = await customersFor(client, keys, emails);
    const customerOf = ({ kind, text }: Term) => (kind === "email" ? (customers.get(text) ?? null) : null);
    // Locks the records' rows: an erasure waiting for one finds these rows afterwards; after an erasure there is
    // nothing to index.
    await client.query(
      `with record as (
         select record_id from vault_records where record_id = any($2::uuid[]) and destroyed_at is null
         order by record_id for share)
       insert into blind_index (key_id, kind, term, record_id, subject, subject_kind, customer_id)
       select $1, kind, term, record_id, subject, subject_kind, customer_id
       from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::uuid[])
         as made (record_id, subject, subject_kind, kind, term, customer_id) join record using (record_id)
       where not exists (select from blind_index b where b.record_id = made.record_id)
       on conflict do nothing`,
      [
        current.keyId,
        found.map(({ recordId }) => recordId),
        rows.map(({ recordId }) => recordId),
        rows.map(({ subject }) => subject.id),
        rows.map(({ subject }) => subject.kind),
        rows.map(({ term }) => term.kind),
        rows.map(({ hash }) => hash),
        rows.map(({ term }) => customerOf(term)),
      ],
    );
  });
}

/**
 * The customer id of each address, by its term, or a new one. Simultaneous records of one address wait for each other.
 * @param keys newest first
 */
async function customersFor(
  client: Client,
  keys: readonly MonthKey[],
  emails: readonly Term[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  // Under the oldest key, which is the same for both even if a month begins between them. In order: two that lock the
  // same addresses must not wait for one another.
  const oldest = keys.at(-1);
  if (oldest) {
    const locks = emails.map((email) => String(hashOf(oldest.key, email).readBigInt64BE()));
    await client.query(
      `select pg_advisory_xact_lock(lock)
       from (select distinct lock from unnest($1::bigint[]) as lock order by lock) as ordered`,
      [locks],
    );
  }
  const known = await customersUnder(client, keys, emails);
  return new Map([...emails.map(({ text }) => [text, randomUUID()] as const), ...known]);
}

/** The customer ids of the addresses that have one, by their terms. */
async function customersUnder(
  database: Pool | Client,
  keys: readonly MonthKey[],
  emails: readonly Term[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = emails.flatMap((email, nth) =>
    keys.map(({ keyId, key }) => ({ nth, keyId, hash: hashOf(key, email) })),
  );
  const { rows } = await database.query<{ nth: number; customer_id: string }>(
    `select distinct on (nth) nth, customer_id
     from unnest($1::integer[], $2::uuid[], $3::bytea[]) as t (nth, key_id, term)
     join blind_index b on b.key_id = t.key_id and b.kind = 'email' and b.term = t.term
     order by nth, customer_id`,
    [hashes.map(({ nth }) => nth), hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)],
  );
  return new Map(rows.map(({ nth, customer_id }) => [emails[nth]?.text ?? "", customer_id]));
}

async function find(parts: MonthKeyParts, term: Term | undefined, limit: number): Promise<Findings> {
  if (term === undefined) return { subjects: [], more: false };
  return withKeys(await liveKeys(parts), async (keys) => {
    const { rows } = await parts.pool.query(
      `select b.subject, b.subject_kind
       from unnest($1::uuid[], $2::bytea[]) as t (key_id, term)
       join blind_index b on b.key_id = t.key_id and b.kind = $3 and b.term = t.term
       join vault_records v using (record_id)
       group by b.subject, b.subject_kind order by max(v.sealed_at) desc, b.subject limit $4`,
      [keys.map(({ keyId }) => keyId), keys.map(({ key }) => hashOf(key, term)), term.kind, limit + 1],
    );
    return findingsOf(rows, limit);
  });
}

function findingsOf(rows: unknown[], limit: number): Findings {
  return { subjects: z.array(subjectRow).parse(rows).slice(0, limit), more: rows.length > limit };
}

async function withKeys<T>(
  keys: readonly MonthKey[],
  use: (keys: readonly MonthKey[]) => Promise<T>,
): Promise<T> {
  try {
    return await use(keys);
  } finally {
    for (const { key } of keys) key.fill(0);
  }
}

/** The kind comes before the text, so a surname never matches an address. */
function hashOf(key: Buffer, { kind, text }: Term): Buffer {
  return createHmac("sha256", createSecretKey(key))
    .update(`${kind}\0${text}`)
    .digest()
    .subarray(0, termBytes);
}
