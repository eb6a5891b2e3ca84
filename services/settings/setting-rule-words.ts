import type { SettingsRule } from "../../domain/settings/decide.ts";

const words: Readonly<Record<SettingsRule, string>> = {
  "not-before-tomorrow":
    "New prices must start tomorrow or later: the prices that customers see today do not change.",
  "not-scheduled": "These prices are already in force, or have been withdrawn.",
  "not-above-gro-fees": "A price must be above what the General Register Office charges us.",
  "retention-too-short": "Contact data must be kept for at least 30 days.",
  "retention-too-long": "This setting can only shorten the period set in the environment.",
  "law-demands":
    "By law customers must be told the company’s registered name, number and place of registration, a full postal address with its postcode, and an email address that receives mail.",
  "own-role": "You cannot change your own role: ask another manager.",
  "staff-only": "Only staff can change settings.",
};

export const settingRuleWords = (rule: string): string =>
  Object.entries(words).find(([name]) => name === rule)?.[1] ??
  "The rules for this setting do not allow that.";
