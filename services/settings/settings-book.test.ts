import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { everyTypeAt } from "../../testing/domain/settings-fixture.ts";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import {
  change,
  createMemoryTexts,
  givenSettings,
  manager,
  memoryBook,
  untouched,
} from "../../testing/services/settings-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import type { SettingsBook } from "./settings.ts";

/** Ends with its test. */
async function openBook(parts?: Parameters<typeof memoryBook>[0]): Promise<SettingsBook> {
  const book = await memoryBook(parts);
  onTestFinished(() => book.stop());
  return book;
}

/** Two processes on one log and one table of texts. */
async function twoBooks(contents = new Map<string, string>()): Promise<[SettingsBook, SettingsBook]> {
  const log = createMemoryLog();
  const texts = createMemoryTexts(contents);
  const open = () => openBook({ store: createMemoryEventStore({ log }), texts });
  return [await open(), await open()];
}

const limit = (refundLimitPence: number) =>
  ({ type: "ChangeRefundLimit", data: { refundLimitPence } }) as const;
const newCompany = { ...givenSettings.company, tradingName: "Ash & Oak" };

describe("the settings", () => {
  test("come from the environment until they are changed", async () => {
    const book = await openBook();
    expect(book.current()).toEqual({
      ...untouched,
      cannedAnswers: expect.arrayContaining([...untouched.cannedAnswers]),
    });
  });

  test("are the new ones at once for the process that changed them", async () => {
    const book = await openBook();
    const { settings } = await change(book, limit(50_00));
    expect(settings.refundLimitPence).toBe(50_00);
    expect(book.current()).toEqual(settings);
  });

  test("follow in every other process, however many there are", async () => {
    const [here, there] = await twoBooks();
    await change(here, limit(50_00));
    await expect.poll(() => there.current().refundLimitPence).toBe(50_00);
    const textDigest = await there.keep(newCompany);
    await change(there, { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } });
    await expect.poll(() => here.current().company).toEqual(newCompany);
    expect(here.current().revision).toBe(1);
  });

  test("leave what a company's text does not hold yet to the environment", async () => {
    const company = { ...givenSettings.company, telephone: "0115 496 0000", replyWorkingDays: "2" };
    const book = await openBook({ given: { ...givenSettings, company } });
    const { tradingName: _renamed, telephone: _later, ...kept } = givenSettings.company;
    const textDigest = await book.keep({ ...kept, tradingName: "Ash & Oak" });
    await change(book, { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } });
    expect(book.current().company).toMatchObject({
      tradingName: "Ash & Oak",
      telephone: "0115 496 0000",
      replyWorkingDays: "",
    });
  });

  test("are read by a process that starts later", async () => {
    const store = createMemoryEventStore();
    await change(await openBook({ store }), {
      type: "ChangePrices",
      data: { effectiveFrom: "2027-01-04", unitPricePence: everyTypeAt(4900, 7900) },
    });
    expect((await openBook({ store })).current().prices).toMatchObject([
      { version: 1 },
      { version: 2, effectiveFrom: "2027-01-04" },
    ]);
  });

  test("never keep contact data longer than the environment gives, even if it gave more once", async () => {
    const store = createMemoryEventStore();
    const data = { contactRetentionDays: 200, mostDays: 365 };
    await change(await openBook({ store }), { type: "ChangeRetention", data });
    const given = { ...givenSettings, contactRetentionDays: 90 };
    expect((await openBook({ store, given })).current().contactRetentionDays).toBe(90);
    expect((await openBook({ store })).current().contactRetentionDays).toBe(200);
  });

  test("hold the first answers until one is changed or removed", async () => {
    const book = await openBook();
    const [first, second] = untouched.cannedAnswers;
    const answer = { title: "Zebra", text: "Dear {{customerName}}" };
    const textDigest = await book.keep(answer);
    const answerId = first?.answerId ?? "";
    await change(book, { type: "ChangeCannedAnswer", data: { answerId, textDigest } });
    await change(book, {
      type: "ChangeCannedAnswer",
      data: { answerId: second?.answerId ?? "", textDigest: null },
    });
    const kept = book.current().cannedAnswers;
    expect(kept).toHaveLength(untouched.cannedAnswers.length - 1);
    expect(kept.at(-1)).toEqual({ answerId, ...answer });
    expect(kept.map((one) => one.answerId)).not.toContain(second?.answerId);
  });
});

describe("two people at once", () => {
  test("cannot overwrite one another: the second is refused, and nothing is written", async () => {
    const [here, there] = await twoBooks();
    const seen = here.current().revision;
    await change(there, limit(50_00));
    const late = here.execute({
      command: limit(70_00),
      commandId: randomUUID(),
      by: manager,
      expectedRevision: seen,
    });
    await expect(late).rejects.toThrow(expect.objectContaining({ code: "changed-meanwhile" }));
    expect(await here.history(10)).toHaveLength(1);
  });

  test("but a repeat of what was done gets its first answer, and never turns the settings back", async () => {
    const book = await openBook();
    const commandId = randomUUID();
    const request = { command: limit(50_00), commandId, by: manager, expectedRevision: -1 };
    await book.execute(request);
    await change(book, limit(70_00));
    expect((await book.execute(request)).settings.refundLimitPence).toBe(50_00);
    expect(book.current().refundLimitPence).toBe(70_00);
    await expect(book.execute({ ...request, command: limit(80_00) })).rejects.toThrow(CommandReused);
  });
});

describe("the history", () => {
  test("names who, when, what was before and what came after, newest first", async () => {
    const book = await openBook();
    await change(book, limit(50_00));
    await change(book, { type: "GrantStaff", data: { userId: "user_1", role: "compliance" } });
    const [granted, limited] = await book.history(10);
    expect(granted).toMatchObject({
      revision: 1,
      at: "2026-11-23T09:30:00.000Z",
      by: "user_manager",
      event: { type: "StaffGranted", data: { userId: "user_1", role: "compliance" } },
    });
    expect(limited?.before.refundLimitPence).toBe(100_00);
    expect(limited?.after.refundLimitPence).toBe(50_00);
    expect(await book.history(1)).toHaveLength(1);
  });

  test("keeps every text as it was", async () => {
    const book = await openBook();
    for (const tradingName of ["First", "Second"]) {
      const textDigest = await book.keep({ ...newCompany, tradingName });
      await change(book, { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } });
    }
    const [second] = await book.history(10);
    expect(second?.before.company.tradingName).toBe("First");
    expect(second?.after.company.tradingName).toBe("Second");
  });
});

describe("a text that was tampered with", () => {
  const tamper = (contents: Map<string, string>) => {
    for (const [digest, content] of contents) contents.set(digest, content.replace("Ash", "Ask"));
  };

  test("keeps a process from starting, and so does one that is gone", async () => {
    const contents = new Map<string, string>();
    const texts = createMemoryTexts(contents);
    const store = createMemoryEventStore();
    const book = await openBook({ store, texts });
    const textDigest = await book.keep(newCompany);
    await change(book, { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } });
    tamper(contents);
    await expect(memoryBook({ store, texts })).rejects.toThrow(
      expect.objectContaining({ name: "TextChanged" }),
    );
    contents.clear();
    await expect(memoryBook({ store, texts })).rejects.toThrow(
      expect.objectContaining({ name: "TextMissing" }),
    );
  });

  test("leaves a running one with what it knows, which it says until the text can be read again", async () => {
    const contents = new Map<string, string>();
    const [here, there] = await twoBooks(contents);
    const textDigest = await here.keep(newCompany);
    const content = contents.get(textDigest) ?? "";
    tamper(contents);
    const command = { type: "ChangeCompanyDetails", data: { textDigest, missing: [] } } as const;
    await expect(change(here, command)).rejects.toThrow(expect.objectContaining({ name: "TextChanged" }));
    await expect.poll(() => there.trouble()).toBe("TextChanged");
    expect(there.current().company).toEqual(givenSettings.company);
    contents.set(textDigest, content);
    await expect.poll(() => there.current().company, soon).toEqual(newCompany);
    expect(there.trouble()).toBeUndefined();
  });
});
