import {
  type EventStore,
  type Position,
  WrongExpectedRevision,
} from "../../../infra/event-store/event-store.ts";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import type { Shared } from "../platform/product.ts";
import type { Plant } from "./plant.ts";

const farAway = "9999-12-31T00:00:00.000Z";

/** In what the product relies on. */
export const platformFaults: readonly Plant[] = [
  {
    name: "no-deadline",
    words:
      "a submission has no deadline, and an inquiry does not close its key: a paused worker submits again",
    finds: "submitted 2 times",
    from: 600,
    put: (shared) => ({
      ...shared,
      automation: {
        ...shared.automation,
        submit: (application) => shared.automation.submit({ ...application, notAfter: farAway }),
        ask: async (key) => {
          const [status] = await shared.automation.statuses([{ key }]);
          return status?.state === "accepted" ? status : { state: "unknown" };
        },
      },
    }),
  },
  {
    name: "acknowledged-before-commit",
    words: "one append in a hundred is acknowledged and lost, as with asynchronous commit and a power cut",
    finds: "acknowledged and lost",
    put: (shared) =>
      withStore(shared, (store) => ({
        append: async (request) => {
          if (shared.random() >= 0.01) return store.append(request);
          const head = await store.readStream(request.stream);
          const revision = (head.at(-1)?.revision ?? -1) + request.events.length;
          return { revision, position: await store.head() };
        },
      })),
  },
  {
    name: "no-expected-revision",
    words: "the log takes every append, whatever the stream's revision is",
    finds: "cannot be read",
    put: (shared) =>
      withStore(shared, (store) => ({
        append: (request) =>
          store.append(request).catch((error: unknown) => {
            if (!(error instanceof WrongExpectedRevision)) throw error;
            return store.append({ ...request, expectedRevision: error.actual });
          }),
      })),
  },
  {
    name: "key-kept",
    words: "one destruction in twenty gives its receipt and destroys nothing",
    finds: "still there",
    put: (shared) => ({
      ...shared,
      vault: {
        ...shared.vault,
        destroy: async (recordIds) => {
          if (shared.random() >= 0.05) return shared.vault.destroy(recordIds);
          return {
            recordIds: [...recordIds],
            kinds: [],
            keyFingerprint: "0".repeat(64),
            probe: "unreadable",
          };
        },
      },
    }),
  },
  {
    name: "destroys-too-much",
    words: "a replaced application's destruction takes all applications of its order along",
    finds: "destroyed while needed",
    put: (shared) => ({
      ...shared,
      vault: {
        ...shared.vault,
        destroy: async (recordIds) => {
          const own = await shared.vault.recordsOf(shared.subjectOf(recordIds), "application");
          const all = new Set([...recordIds, ...own.map(({ recordId }) => recordId)]);
          return shared.vault.destroy([...all]);
        },
      },
    }),
  },
  {
    name: "another-log",
    words: "for a minute the log's address leads to another, empty log",
    finds: "acknowledged and lost",
    put: (shared) => {
      const other = createMemoryEventStore({ now: () => new Date(shared.time.nowMs) });
      const fromMs = shared.time.nowMs + 60_000;
      const isElsewhere = () => shared.time.nowMs >= fromMs && shared.time.nowMs < fromMs + 60_000;
      return withStore(shared, (store) => ({
        append: (request) => (isElsewhere() ? other : store).append(request),
        readStream: (...given) => (isElsewhere() ? other : store).readStream(...given),
      }));
    },
  },
  {
    name: "refund-key-ignored",
    words: "the provider refunds again for a refund it has already made",
    finds: "and the log does not say so",
    put: (shared) => ({
      ...shared,
      payments: {
        ...shared.payments,
        refund: (wanted) => shared.payments.refund({ ...wanted, refundId: shared.newId() }),
      },
    }),
  },
  {
    name: "naive-follower",
    words: "an event gets its place before it is committed, and the follower reads past the gap",
    finds: "is not the fold of the log",
    put: (shared) => {
      const visibleFromMs = new Map<Position, number>();
      return withStore(shared, (store) => ({
        append: async (request) => {
          const appended = await store.append(request);
          const afterMs = shared.random() < 0.05 ? 500 : 0;
          visibleFromMs.set(appended.position, shared.time.nowMs + afterMs);
          return appended;
        },
        readAll: async (...given) =>
          (await store.readAll(...given)).filter(
            ({ position }) => (visibleFromMs.get(position) ?? 0) <= shared.time.nowMs,
          ),
      }));
    },
  },
  {
    name: "checkpoint-apart",
    words: "the follower moves its checkpoint in a transaction before that of its work",
    finds: "is not the fold of the log",
    put: (shared) => ({
      ...shared,
      commit: async ({ move, write }, call) => {
        await call("commit", async () => move());
        await call("commit", async () => write());
      },
    }),
  },
  {
    name: "message-kept",
    words: "a message of a ticket stays in the vault after its purge",
    finds: "records of the ticket are still there",
    put: (shared) => ({
      ...shared,
      vault: {
        ...shared.vault,
        destroy: async (recordIds) => {
          const own = await shared.vault.recordsOf(shared.subjectOf(recordIds), "contact");
          const kept = own.find(
            ({ recordId, kind }) => kind === "ticketMessage" && recordIds.includes(recordId),
          );
          return shared.vault.destroy(recordIds.filter((recordId) => recordId !== kept?.recordId));
        },
      },
    }),
  },
];

function withStore(shared: Shared, change: (store: EventStore) => Partial<EventStore>): Shared {
  const { store } = shared;
  return { ...shared, store: { ...store, ...change(store) } };
}
