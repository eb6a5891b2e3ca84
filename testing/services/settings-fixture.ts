import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { settingsDecider } from "../../domain/settings/decide.ts";
import type { OnBehalf } from "../../services/command-bus.ts";
import { type SettingsTexts, textsIn } from "../../services/settings/kept-texts.ts";
import type { GivenSettings, Settings, SettingsBook } from "../../services/settings/settings.ts";
import { openSettings } from "../../services/settings/settings-book.ts";
import { settingsOf } from "../../services/settings/settings-of.ts";
import { createMemoryEventStore } from "../event-store/memory-event-store.ts";

/** Default settings, and books in memory. */

export const givenSettings: GivenSettings = {
  company: {
    tradingName: "Test & Copy",
    supportEmail: "help@test.example",
    postalAddress: "1 Test Street, Nottingham, NG1, United Kingdom",
    companyName: "",
    companyNumber: "",
    vatNumber: "",
    registeredIn: "",
    registeredOffice: "",
    telephone: "",
    telephoneHours: "",
    replyWorkingDays: "",
  },
  mustIdentify: false,
  contactRetentionDays: 365,
  adminUsernames: ["Alex.Manager"],
};

export const manager: OnBehalf = { actor: { kind: "staff", id: "user_manager" }, correlationId: "a-request" };

/** Texts in memory. `contents` may be tampered with. */
export const createMemoryTexts = (contents = new Map<string, string>()): SettingsTexts =>
  textsIn({
    add: async (digest, content) => contents.set(digest, content),
    find: async (digest) => contents.get(digest),
  });

/** Before the first change. */
export const untouched: Settings = await settingsOf(
  settingsDecider.initial,
  createMemoryTexts(),
  givenSettings,
);

/** A book on a log in memory, or on the given parts. */
export const memoryBook = (parts: Partial<Parameters<typeof openSettings>[0]> = {}): Promise<SettingsBook> =>
  openSettings({
    store: createMemoryEventStore(),
    texts: createMemoryTexts(),
    given: givenSettings,
    random: Math.random,
    now: () => new Date("2026-11-23T09:30:00.000Z"),
    log: pino({ level: "silent" }),
    ...parts,
  });

/** Runs a command on a book, as from a page that shows its newest revision. */
export const change = (
  book: SettingsBook,
  command: Parameters<SettingsBook["execute"]>[0]["command"],
  by: OnBehalf = manager,
) => book.execute({ command, commandId: randomUUID(), by, expectedRevision: book.current().revision });
