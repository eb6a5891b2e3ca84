import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { dataClass } from "../../domain/order/vocabulary.ts";
import { companyDetails } from "../../domain/settings/settings-texts.ts";
import { answers, get } from "../request.ts";
import { auditors } from "../roles.ts";
import { anyRule } from "../shapes.ts";
import { aboutAny, number } from "./registers.ts";

export const dueAnswer = z
  .object({
    due: z.array(
      z.object({ name: z.string(), number, kind: z.string(), dueAt: field.instant, tries: field.count }),
    ),
  })
  .register(z.globalRegistry, { id: "DuePurges" });

export const retentionAnswer = z
  .object({
    lines: z.array(
      z.object({
        subject: aboutAny,
        rule: anyRule,
        dataClass,
        trigger: z.string(),
        afterSeconds: field.count,
        decidedBy: z.string(),
        doneBy: z.string(),
      }),
    ),
  })
  .register(z.globalRegistry, { id: "RetentionSchedule" });

export const activity = z.object({
  name: z.string(),
  purpose: z.string(),
  lawfulBasis: z.string(),
  people: z.string(),
  data: z.array(z.string()),
  recipients: z.array(z.string()),
  endedBy: z.array(z.string()),
});

export const processingAnswer = z
  .object({
    controller: companyDetails,
    transfers: z.string(),
    security: z.array(z.string()),
    activities: z.array(activity),
  })
  .register(z.globalRegistry, { id: "ProcessingRecord" });

export const listDuePurges = get("/api/admin/compliance/due", {
  summary: "Personal data awaiting destruction, with due dates",
  from: auditors,
  limit: "reads",
  answers: answers(dueAnswer),
});

export const showRetention = get("/api/admin/compliance/retention", {
  summary: "The retention schedule",
  from: auditors,
  limit: "reads",
  answers: answers(retentionAnswer),
});

export const showProcessing = get("/api/admin/compliance/processing", {
  summary: "The record of processing activities",
  from: auditors,
  limit: "reads",
  answers: answers(processingAnswer),
});

export type ProcessingRecord = z.output<typeof processingAnswer>;
export type DuePurge = z.output<typeof dueAnswer>["due"][number];
export type RetentionLine = z.output<typeof retentionAnswer>["lines"][number];
