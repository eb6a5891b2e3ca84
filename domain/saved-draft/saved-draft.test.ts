import { describe, expect, it } from "vitest";
import { openPaths } from "../../testing/domain/event-leaves-fixture.ts";
import { recipient } from "../../testing/domain/form-fixture.ts";
import { start, uuid } from "../../testing/domain/order-fixture.ts";
import { bytesOf, longestDraft } from "../../testing/gateway/full-draft-fixture.ts";
import { draftBody } from "../../testing/gateway/request-bodies-fixture.ts";
import type { CommandMetadata } from "../decider.ts";
import { addDays, addSeconds } from "../instant.ts";
import { orderIdOf } from "../order/events.ts";
import { ticketIdOf } from "../ticket/events.ts";
import { type DraftCommand, draftDecider } from "./decide.ts";
import { type DraftEvent, draftEventSchema, draftEventSchemas, draftIdOf, draftStream } from "./events.ts";
import { mostDraftBytes, savedAnswers } from "./sealed-records.ts";
import {
  absentDraft,
  type DraftState,
  draftOwed,
  evolveDraft,
  isDraftOpen,
  type SavedDraft,
} from "./state.ts";

const draftId = uuid(700);
const [draftRef, linkRef] = [uuid(701), uuid(702)];
const keyDigest = "ab".repeat(32);
const expiresAt = addDays(start, 7);
const receipt = { keyFingerprint: "cd".repeat(32), probe: "unreadable" } as const;

type Happened = readonly [DraftEvent, number];

const saved: DraftEvent = { type: "DraftSaved", data: { draftId, keyDigest, draftRef, linkRef, expiresAt } };
const mail = { template: "savedDraft", templateVersion: 1, about: uuid(0) } as const;
const mailed: DraftEvent = { type: "MailSent", data: mail };
const linkDestroyed: DraftEvent = { type: "LinkDestroyed", data: { recordRef: linkRef, ...receipt } };
const ended: DraftEvent = { type: "DraftEnded", data: { rule: "ordered" } };
const draftRecordNamed = { ref: draftRef, kind: "savedDraft" } as const;
const linkRecordNamed = { ref: linkRef, kind: "savedDraftLink" } as const;
const started = (rule: "ordered" | "expired"): DraftEvent => ({
  type: "DraftPurgeStarted",
  data: { rule, records: [draftRecordNamed] },
});
const purged = (startedBy: string): DraftEvent => ({
  type: "DraftPurged",
  data: { startedBy, destroyed: ["savedDraft"], rule: "ordered", ...receipt, records: 1 },
});

/** The nth event has the id `uuid(n)`, counted from 0. */
const stateAfter = (history: readonly Happened[]): DraftState =>
  history.reduce<DraftState>(
    (state, [event, seconds], revision) =>
      evolveDraft(state, event, { eventId: uuid(revision), at: addSeconds(start, seconds), revision }),
    absentDraft,
  );

function draftAfter(...history: readonly Happened[]): SavedDraft {
  const state = stateAfter(history);
  if (!state.isSaved) throw new Error("This history saves no draft.");
  return state;
}

const as = (kind: CommandMetadata["actor"]["kind"], id: string): CommandMetadata => ({
  commandId: "",
  at: start,
  actor: { kind, id },
  correlationId: "",
});

const asked = (history: readonly Happened[], command: DraftCommand): readonly DraftEvent[] =>
  draftDecider.decide(stateAfter(history), command, as("system", "policy"));

const atRest: readonly Happened[] = [
  [saved, 0],
  [mailed, 2],
  [linkDestroyed, 3],
];
const over: readonly Happened[] = [...atRest, [ended, 60], [started("ordered"), 61]];

describe("the events of a saved draft", () => {
  it.each(Object.entries(draftEventSchemas))("%s has no field for what a person typed", (_, { data }) => {
    expect(openPaths(data)).toEqual([]);
  });

  it("are read from the log, each with the fields it names and no other", () => {
    for (const [event] of [...over, [purged(uuid(4)), 62] as const])
      expect(draftEventSchema.parse(event)).toEqual(event);
    const smuggled = { ...saved, data: { ...saved.data, email: "sian@post.example" } };
    expect(draftEventSchema.safeParse(smuggled).success).toBe(false);
  });

  it("cannot be folded before the first, nor with a second first", () => {
    expect(() => stateAfter(atRest.slice(1))).toThrow("before DraftSaved");
    expect(() => stateAfter([...atRest, [saved, 9]])).toThrow("twice");
    const forestalled: DraftEvent = { type: "DraftForestalled", data: { draftId, keyDigest } };
    expect(() =>
      stateAfter([
        [saved, 0],
        [forestalled, 9],
      ]),
    ).toThrow("twice");
  });

  it("have streams that are none of an order's or a ticket's", () => {
    const stream = draftStream(draftId);
    expect([draftIdOf(stream), orderIdOf(stream), ticketIdOf(stream)]).toEqual([
      draftId,
      undefined,
      undefined,
    ]);
    expect(draftIdOf(`order-${draftId}`)).toBeUndefined();
  });
});

describe("a saved draft", () => {
  it("is saved once, and expires after seven days", () => {
    const command = { type: "SaveDraft", data: { draftId, keyDigest, draftRef, linkRef } } as const;
    expect(asked([], command)).toEqual([saved]);
    expect(() => asked(atRest, command)).toThrow("already-exists");
  });

  it("is not saved by a request that the next save has overtaken, and is owed nothing", () => {
    const replace: DraftCommand = { type: "ReplaceDraft", data: { draftId, keyDigest } };
    const forestalled: DraftEvent = { type: "DraftForestalled", data: { draftId, keyDigest } };
    expect(asked([], replace)).toEqual([forestalled]);
    const before: readonly Happened[] = [[forestalled, 0]];
    expect(asked(before, replace)).toEqual([]);
    const save = { type: "SaveDraft", data: { draftId, keyDigest, draftRef, linkRef } } as const;
    expect(asked(before, save)).toEqual([]);
    expect(asked(before, { type: "EndDraft", data: { rule: "requested" } })).toEqual([]);
    const draft = draftAfter(...before);
    expect([isDraftOpen(draft, start), draftOwed(draft)]).toEqual([false, []]);
    expect(asked(atRest, replace)).toEqual([{ type: "DraftEnded", data: { rule: "replaced" } }]);
  });

  it("opens until it expires or ends", () => {
    const draft = draftAfter(...atRest);
    expect(isDraftOpen(draft, addSeconds(expiresAt, -1))).toBe(true);
    expect(isDraftOpen(draft, expiresAt)).toBe(false);
    expect(isDraftOpen(draftAfter(...atRest, [ended, 60]), start)).toBe(false);
    expect(isDraftOpen(draftAfter(...atRest, [started("expired"), 60]), start)).toBe(false);
  });

  it("is revealed to staff alone, each time with an event, and not once it is being purged", () => {
    const command = { type: "RevealPersonalData", data: { reason: "subjectAccess" } } as const;
    const revealed: DraftEvent = { type: "PersonalDataRevealed", data: { reason: "subjectAccess" } };
    const by = (kind: "staff" | "customer", ...history: readonly Happened[]) =>
      draftDecider.decide(stateAfter(history), command, as(kind, "staff_1"));
    expect(by("staff", ...atRest, [revealed, 9])).toEqual([revealed]);
    expect(() => by("customer", ...atRest)).toThrow("role-needed");
    expect(() => by("staff", ...over)).toThrow("application-purged");
    expect(draftAfter(...atRest, [revealed, 9]).reveals).toEqual([
      { at: addSeconds(start, 9), reason: "subjectAccess" },
    ]);
  });

  it("ends once, under the first rule, and not once it is being purged", () => {
    const end = (rule: "ordered" | "requested"): DraftCommand => ({ type: "EndDraft", data: { rule } });
    expect(asked(atRest, end("ordered"))).toEqual([ended]);
    expect(asked([...atRest, [ended, 60]], end("requested"))).toEqual([]);
    expect(asked([...atRest, [started("expired"), 60]], end("requested"))).toEqual([]);
    expect(() => asked([], end("ordered"))).toThrow("unknown-draft");
  });

  it("records its mail once, and the destruction of its link after that", () => {
    const record = { type: "RecordDraftMail", data: { ...mail, result: "sent" } } as const;
    expect(asked([[saved, 0]], record)).toEqual([mailed]);
    expect(asked(atRest, record)).toEqual([]);
    const destroyed = { type: "RecordLinkDestroyed", data: { recordRef: linkRef, ...receipt } } as const;
    expect(asked([[saved, 0]], destroyed)).toEqual([]);
    expect(asked(atRest.slice(0, 2), destroyed)).toEqual([linkDestroyed]);
    expect(asked(atRest, destroyed)).toEqual([]);
  });

  it("starts a purge of all that is left, under the rule that holds", () => {
    const begin = (rule: "ordered" | "expired"): DraftCommand => ({
      type: "StartDraftPurge",
      data: { rule },
    });
    expect(asked([...atRest, [ended, 60]], begin("ordered"))).toEqual([started("ordered")]);
    expect(() => asked([...atRest, [ended, 60]], begin("expired"))).toThrow("still-needed");
    expect(() => asked(atRest, begin("ordered"))).toThrow("still-needed");
    expect(asked([[saved, 0]], begin("expired"))).toEqual([
      { type: "DraftPurgeStarted", data: { rule: "expired", records: [draftRecordNamed, linkRecordNamed] } },
    ]);
    expect(asked(over, begin("ordered"))).toEqual([]);
  });

  it("records the end of the purge that was started, and of no other", () => {
    const { rule: _, ...data } = {
      rule: "ordered",
      destroyed: ["savedDraft" as const],
      ...receipt,
      records: 1,
    };
    const finish = (startedBy: string): DraftCommand => ({
      type: "PurgeDraft",
      data: { outcome: "purged", startedBy, ...data },
    });
    expect(asked(over, finish(uuid(4)))).toEqual([purged(uuid(4))]);
    expect(asked(over, finish(uuid(9)))).toEqual([]);
    expect(asked([...over, [purged(uuid(4)), 62]], finish(uuid(4)))).toEqual([]);
  });
});

describe("what a saved draft is owed", () => {
  const kinds = (...history: readonly Happened[]) =>
    draftOwed(draftAfter(...history)).map(({ kind }) => kind);

  it("is a mail, then the end of its address, and a purge when it expires", () => {
    expect(kinds([saved, 0])).toEqual(["mail", "purge"]);
    expect(draftOwed(draftAfter(...atRest.slice(0, 2)))).toMatchObject([
      { kind: "destroyRecord", ref: linkRef, dueAt: addSeconds(start, 2) },
      { kind: "purge", rule: "expired", dueAt: expiresAt, attempt: 1 },
    ]);
    expect(kinds(...atRest)).toEqual(["purge"]);
  });

  it("is the same where the mail could not be delivered", () => {
    expect(
      kinds([saved, 0], [{ type: "MailUndeliverable", data: { ...mail, because: "refused" } }, 2]),
    ).toEqual(["destroyRecord", "purge"]);
  });

  it("is a purge at once where it ended, and no mail any more", () => {
    expect(draftOwed(draftAfter([saved, 0], [ended, 60]))).toMatchObject([
      { kind: "purge", rule: "ordered", dueAt: addSeconds(start, 60) },
    ]);
  });

  it("is the purge that was started until it is recorded, later after each failure", () => {
    expect(draftOwed(draftAfter(...over))).toMatchObject([{ rule: "ordered", dueAt: addSeconds(start, 61) }]);
    const failed: DraftEvent = { type: "PurgeFailed", data: { code: "stillReadable", attempt: 1 } };
    expect(draftOwed(draftAfter(...over, [failed, 70]))).toMatchObject([
      { attempt: 2, dueAt: addSeconds(start, 80) },
    ]);
    expect(kinds(...over, [purged(uuid(4)), 62])).toEqual([]);
  });
});

describe("the answers of a saved draft", () => {
  const { draft } = draftBody();

  it("are taken as typed, complete or not", () => {
    expect(savedAnswers.parse(draft)).toEqual(draft);
    const details = { ...draft.personalDetails, recipient, customerReference: "SMITH/42" };
    const more = { ...draft, personalDetails: details };
    expect(savedAnswers.parse(more)).toEqual(more);
  });

  it("are taken of ten certificates whose answers are as long as the forms accept, with bytes to spare", () => {
    const longest = longestDraft();
    expect(savedAnswers.parse(longest)).toEqual(longest);
    expect(mostDraftBytes - bytesOf(longest)).toBeGreaterThan(2_000);
  });

  it.each([
    ["a field that is not asked", { ...draft, signature: "Siân Rhys" }],
    ["one deep inside", { ...draft, personalDetails: { ...draft.personalDetails, born: "1970" } }],
    ["a form's unknown field", { ...draft, birth: { pet: "cat" } }],
    ["the payment step", { ...draft, step: 5 }],
    ["eleven certificates", { ...draft, others: Array.from({ length: 10 }, () => draft.others[0]) }],
    ["a place behind the last certificate", { ...draft, place: 2 }],
    ["an unknown field of another certificate", { ...draft, others: [{ ...draft.others[0], place: 0 }] }],
    [
      "a text of a thousand characters",
      { ...draft, personalDetails: { ...draft.personalDetails, title: "x".repeat(1_000) } },
    ],
  ])("are refused with %s", (_, answers) => {
    expect(savedAnswers.safeParse(answers).success).toBe(false);
  });
});
