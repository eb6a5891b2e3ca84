import type { SettingsRule } from "../../domain/settings/decide.ts";

const words: Readonly<Record<SettingsRule, string>> = {
  "not-before-tomorrow": "New prices begin tomorrow or later: what customers see today stays.",
  "not-scheduled": "These prices are in force already, or were withdrawn.",
  "not-above-gro-fees": "A price must be above what the General Register Office charges us.",
  "retention-too-short": "Contact data is kept for 30 days at least.",
  "retention-too-long": "A setting may only shorten what the environment gives.",
  "own-role": "Nobody changes their own role: ask another manager.",
  "staff-only": "Only people who work here change settings.",
};

/** A rule of settings as a sentence. */
export const settingRuleWords = (rule: string): string =>
  Object.entries(words).find(([name]) => name === rule)?.[1] ?? "The rules of this setting forbid that.";
