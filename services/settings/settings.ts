import type { OrderableTypes } from "../../domain/forms/options.ts";
import type { PriceLists } from "../../domain/pricing/price-list.ts";
import type { CannedAnswer } from "../../domain/settings/canned-answers.ts";
import type { SettingsCommand } from "../../domain/settings/decide.ts";
import type { SettingsEvent } from "../../domain/settings/settings.ts";
import type { CompanyDetails, Testimonial } from "../../domain/settings/settings-texts.ts";
import type { Grant } from "../../domain/settings/vocabulary.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { OnBehalf } from "../command-bus.ts";

/** A canned answer with its permanent id. */
export type KeptAnswer = CannedAnswer & { readonly answerId: string };

export type Settings = {
  /** Revision of the last change; -1 before the first. */
  readonly revision: number;
  /** In force and scheduled, oldest day first. */
  readonly prices: PriceLists;
  readonly orderableTypes: OrderableTypes;
  /** Never above the environment's limit. */
  readonly contactRetentionDays: number;
  /** A refund chosen by staff needs a second person above this amount. */
  readonly refundLimitPence: number;
  readonly company: CompanyDetails;
  readonly cannedAnswers: readonly KeptAnswer[];
  readonly testimonials: readonly Testimonial[];
  /** By user id. */
  readonly grants: ReadonlyMap<string, Grant>;
};

/** From the environment: initial values, and the bound of one setting. */
export type GivenSettings = {
  readonly company: CompanyDetails;
  /** Customers must know who we are: company details that lack what the law demands are refused. */
  readonly mustIdentify: boolean;
  /** Upper bound for the retention of contact data. */
  readonly contactRetentionDays: number;
  /** Exact usernames of managers, regardless of the settings. */
  readonly adminUsernames: readonly string[];
};

/** One change, with all settings before and after it. */
export type SettingsChange = {
  readonly revision: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Opaque id of the author. */
  readonly by: string;
  readonly event: SettingsEvent;
  readonly before: Settings;
  readonly after: Settings;
};

type SettingsRequest = {
  readonly command: SettingsCommand;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** The revision the author of the change saw. */
  readonly expectedRevision: number;
};

/** The settings after a command, and the log position. */
type SettingsResult = { readonly settings: Settings; readonly position: Position };

/** For code that only reads the settings. */
export type CurrentSettings = { current(): Settings };

export type SettingsBook = CurrentSettings & {
  /** The settings known to this process: its own changes at once, others' as soon as they are read from the log. */
  current(): Settings;
  readonly given: GivenSettings;
  /** Stores a text for a command to name. @returns its digest */
  keep(text: unknown): Promise<string>;
  /** @throws Refused `setting-refused`, or `changed-meanwhile` if another change came first; CommandReused */
  execute(request: SettingsRequest): Promise<SettingsResult>;
  /** Newest first. */
  history(limit: number): Promise<readonly SettingsChange[]>;
  /** Undefined, or why the settings may be outdated. */
  trouble(): string | undefined;
  stop(): Promise<void>;
};
