import { createHash } from "node:crypto";
import { before } from "../../domain/instant.ts";
import {
  RecordGone,
  type RecordKind,
  type RecordSummary,
  type RecordToSeal,
  type Vault,
} from "../../services/vault/vault.ts";

/** A vault in memory, which keeps first bodies like the real one. */
export type MemoryVault = Vault & { readonly records: ReadonlyMap<string, RecordToSeal> };

export function createMemoryVault(now: () => Date = () => new Date()): MemoryVault {
  const records = new Map<string, RecordToSeal & Pick<RecordSummary, "sealedAt">>();
  const gone = new Map<string, RecordKind>();
  const summaryOf = ({ body: _body, schemaVersion: _version, ...summary }: RecordToSeal & RecordSummary) =>
    summary satisfies RecordSummary;
  return {
    records,
    seal: async (record) => {
      if (records.has(record.recordId) || gone.has(record.recordId)) return "existed";
      records.set(record.recordId, { ...structuredClone(record), sealedAt: now().toISOString() });
      return "sealed";
    },
    open: async (recordId, schema) => {
      const record = records.get(recordId);
      if (!record) throw new RecordGone("There is no such record.");
      return schema.parse(record.body);
    },
    destroy: async (recordIds) => {
      for (const recordId of recordIds) {
        const record = records.get(recordId);
        if (record) gone.set(recordId, record.kind);
        records.delete(recordId);
      }
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
