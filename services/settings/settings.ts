import type { OrderableTypes } from "../../domain/forms/orderable-types.ts";
import type { PriceLists } from "../../domain/pricing/price-list.ts";
import type { CannedAnswer } from "../../domain/settings/canned-answers.ts";
import type { SettingsCommand } from "../../domain/settings/commands.ts";
import type { SettingsEvent } from "../../domain/settings/events.ts";
import type { CompanyDetails, Testimonial } from "../../domain/settings/settings-texts.ts";
import type { Grant } from "../../domain/settings/vocabulary.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { OnBehalf } from "../command-bus.ts";

/** A canned answer under the id that names it for ever. */
export type KeptAnswer = CannedAnswer & { readonly answerId: string };

/** Every setting as it is at a moment. */
export type Settings = {
  /** Of the last change; -1 before the first. */
  readonly revision: number;
  /** In force and scheduled, oldest day first. */
  readonly prices: PriceLists;
  readonly orderableTypes: OrderableTypes;
  /** Never more than the environment gives. */
  readonly contactRetentionDays: number;
  /** A refund that staff choose and that is above this needs a second person. */
  readonly refundLimitPence: number;
  readonly company: CompanyDetails;
  readonly cannedAnswers: readonly KeptAnswer[];
  readonly testimonials: readonly Testimonial[];
  /** By user id. */
  readonly grants: ReadonlyMap<string, Grant>;
};

/** What the environment says: the first value of some settings, and the bound of one. */
export type GivenSettings = {
  readonly company: CompanyDetails;
  /** The most that any setting may keep contact data. */
  readonly contactRetentionDays: number;
  /** Exact usernames that are managers whatever the settings say. */
  readonly adminUsernames: readonly string[];
};

/** One change: who, when, what, and all settings right before and after it. */
export type SettingsChange = {
  readonly revision: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Opaque id of who made it. */
  readonly by: string;
  readonly event: SettingsEvent;
  readonly before: Settings;
  readonly after: Settings;
};

/** A command on its way to the settings. */
export type SettingsRequest = {
  readonly command: SettingsCommand;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** The revision that whoever changes something has seen. */
  readonly expectedRevision: number;
};

/** The settings after a command, and where the log then stood. */
export type SettingsResult = { readonly settings: Settings; readonly position: Position };

/** What only reads the settings needs of them. */
export type CurrentSettings = { current(): Settings };

/** Reads and changes the settings. */
export type SettingsBook = CurrentSettings & {
  /** The settings as this process knows them: its own changes at once, those of others as soon as the log tells. */
  current(): Settings;
  readonly given: GivenSettings;
  /** Keeps a text, so that a command can name it. Answers its digest. */
  keep(text: unknown): Promise<string>;
  /** @throws Refused `setting-refused`, or `changed-meanwhile` when somebody else was faster; CommandReused */
  execute(request: SettingsRequest): Promise<SettingsResult>;
  /** The newest changes first, at most so many. */
  history(limit: number): Promise<readonly SettingsChange[]>;
  /** Undefined, or why the settings shown may be old. */
  trouble(): string | undefined;
  stop(): Promise<void>;
};
