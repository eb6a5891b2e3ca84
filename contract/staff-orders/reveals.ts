import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { revealReason } from "../../domain/order/vocabulary.ts";
import { ownApplication, ownContact } from "../orders/own-records.ts";
import { answers, file, post } from "../request.ts";
import { staff } from "../roles.ts";

export const sectionsShown = z.array(
  z.object({ heading: z.string(), facts: z.array(z.object({ name: z.string(), value: z.string() })) }),
);

export const revealedApplication = z.object({ sections: sectionsShown, application: ownApplication });

export const revealedContact = z.object({
  sections: sectionsShown,
  contact: ownContact,
  groReferences: z.array(z.string()),
  bankTransfers: z.array(z.string()),
  notes: z.array(
    z.object({
      revision: z.nullable(z.int()),
      at: z.nullable(field.instant),
      by: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
});

export const lookedAt = { revision: z.int() };

/** The class requested. */
export const revealedAnswer = z
  .union([z.extend(revealedApplication, lookedAt), z.extend(revealedContact, lookedAt)])
  .register(z.globalRegistry, { id: "RevealedData" });

const reason = z.enum(revealReason.options, "Choose a reason");

export const revealOrder = post("/api/admin/orders/{orderNumber}/reveal", {
  summary: "Reveal personal data; the access is recorded",
  from: staff,
  limit: "commands",
  body: z.object({ dataClass: z.enum(["application", "contact"], "Choose what to reveal"), reason }),
  answers: answers(revealedAnswer),
  refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
});

/** Reveals both classes. */
export const printApplication = post("/api/admin/orders/{orderNumber}/application.pdf", {
  summary: "The completed GRO form; the access is recorded",
  from: staff,
  limit: "commands",
  body: z.object({ reason }),
  answers: file("application/pdf"),
  refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
});

export type RevealedSections = z.output<typeof sectionsShown>;
export type RevealedApplication = z.output<typeof revealedApplication> & { readonly revision: number };
export type RevealedContact = z.output<typeof revealedContact> & { readonly revision: number };
