import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { before } from "../../domain/instant.ts";
import { CompanionExists, type CompanionRow } from "../../infra/event-store/event-store.ts";
import {
  type CommandRecords,
  RecordGone,
  type RecordKind,
  type RecordSummary,
  type RecordToSeal,
  type Vault,
} from "../../services/vault/vault.ts";

/** A vault in memory, which keeps first bodies like the real one. */
export type MemoryVault = Vault & {
  readonly records: ReadonlyMap<string, RecordToSeal>;
  /**
   * For the event store: stores the records that an append takes along.
   * @throws CompanionExists where one of the same id was sealed, and stores none
   */
  take(companions: readonly CompanionRow[]): void;
};

/** @param storedByAppends whether its event store calls `take` */
export function createMemoryVault(now: () => Date = () => new Date(), storedByAppends = false): MemoryVault {
  const records = new Map<string, RecordToSeal & Pick<RecordSummary, "sealedAt">>();
  const gone = new Map<string, RecordKind>();
  const summaryOf = ({ body: _body, schemaVersion: _version, ...summary }: RecordToSeal & RecordSummary) =>
    summary satisfies RecordSummary;
  /** Numbers of the keys of records that appends store: their order of use. */
  let keysTaken = 0;
  const keysZeroed = new Set<number>();
  const keyOf = new Map<string, number>();
  const existed = (recordId: string) => records.has(recordId) || gone.has(recordId);
  const store = (record: RecordToSeal) =>
    records.set(record.recordId, { ...structuredClone(record), sealedAt: now().toISOString() });

  /** Without its key a stored record is gone, whether the key was zeroed after its append or before. */
  function lose(recordId: string): void {
    const record = records.get(recordId);
    if (record) gone.set(recordId, record.kind);
    records.delete(recordId);
  }

  function recordsOfAppend(): CommandRecords {
    const sealed = new Map<number, RecordToSeal>();
    return {
      seal: async (record) => {
        sealed.set(++keysTaken, record);
        return "sealed";
      },
      companions: async () => [...sealed].map(([key, record]) => [serialize(record), key]),
      written: async () => undefined,
      discard: async () => {
        for (const [key, { recordId }] of sealed) {
          keysZeroed.add(key);
          if (keyOf.get(recordId) === key) lose(recordId);
        }
      },
    };
  }

  return {
    records,
    ...(storedByAppends && { recordsOfAppend }),
    take: (companions) => {
      const taken = companions.map(([record, key]): [RecordToSeal, number] => [
        deserialize(Buffer.from(bytesOf(record))),
        Number(key),
      ]);
      if (taken.some(([{ recordId }]) => existed(recordId)))
        throw new CompanionExists("It was sealed before.");
      for (const [record, key] of taken) {
        store(record);
        keyOf.set(record.recordId, key);
        if (keysZeroed.has(key)) lose(record.recordId);
      }
    },
    seal: async (record) => {
      if (existed(record.recordId)) return "existed";
      store(record);
      return "sealed";
    },
    open: async (recordId, schema) => {
      const record = records.get(recordId);
      if (!record) throw new RecordGone(recordId, gone.has(recordId));
      return schema.parse(record.body);
    },
    openBytes: async (recordId) => {
      const record = records.get(recordId);
      if (!record) throw new RecordGone(recordId, gone.has(recordId));
      return bytesOf(record.body);
    },
    destroy: async (recordIds) => {
      recordIds.forEach(lose);
      const kinds = [...new Set(recordIds.flatMap((recordId) => gone.get(recordId) ?? []))].sort();
      const known = recordIds.filter((recordId) => gone.has(recordId)).sort();
      const keyFingerprint = createHash("sha256").update(known.join()).digest("hex");
      return { recordIds: [...recordIds], kinds, keyFingerprint, probe: "unreadable" };
    },
    recordsOf: async (subject, dataClass) =>
      [...records.values()]
        .filter((record) => record.subject === subject && (!dataClass || record.dataClass === dataClass))
        .map(summaryOf),
    claimDue: async ({ now, until, limit }) => {
      const due = [...records.values()].filter(({ dueAt }) => !before(now, dueAt)).slice(0, limit);
      for (const record of due) records.set(record.recordId, { ...record, dueAt: until });
      return due.map(summaryOf);
    },
    lookAgain: async (looks) => {
      for (const { recordId, dueAt } of looks) {
        const record = records.get(recordId);
        if (record) records.set(recordId, { ...record, dueAt });
      }
    },
  };
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError("Bytes were expected.");
}
