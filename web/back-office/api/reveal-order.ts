import * as z from "zod/mini";
import { applicationSchema } from "../../api/application.ts";
import { contactSchema } from "../../api/correct-contact.ts";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const sections = z.array(
  z.object({
    heading: z.string(),
    facts: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
);

/** Text under headings, as it is read. */
export type RevealedSections = z.infer<typeof sections>;

export const revealedApplicationSchema = z.object({
  revision: z.number(),
  sections,
  application: applicationSchema,
});
export type RevealedApplication = z.infer<typeof revealedApplicationSchema>;

export const revealedContactSchema = z.object({
  revision: z.number(),
  sections,
  contact: contactSchema,
  groReferences: z.array(z.string()),
  bankTransfers: z.array(z.string()),
  notes: z.array(
    z.object({
      revision: z.nullable(z.number()),
      at: z.nullable(z.string()),
      by: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
});
export type RevealedContact = z.infer<typeof revealedContactSchema>;

/** POST …/reveal: opens the application. The look is in the order's log before. Kept in memory only. @throws ApiError, 410 once destroyed */
export const revealApplication = (orderNumber: string, reason: string): Promise<RevealedApplication> =>
  requestJson(revealedApplicationSchema, "POST", adminApi.orderReveal(orderNumber), {
    dataClass: "application",
    reason,
  });

/** The same for whom we write to, what the GRO calls the order, and the notes. @throws ApiError, 410 once destroyed */
export const revealContact = (orderNumber: string, reason: string): Promise<RevealedContact> =>
  requestJson(revealedContactSchema, "POST", adminApi.orderReveal(orderNumber), {
    dataClass: "contact",
    reason,
  });
