import * as z from "zod/mini";
import { certificateTypes } from "../../domain/forms/options.ts";
import { placesOfRegistration } from "../../domain/settings/company.ts";
import { answers, get } from "../request.ts";

// Every page loads this file, so it imports none of the domain's parsers.

/** The price list of the specification's section 7, in pounds. */
export const pricesAnswer = z
  .array(z.object({ serviceId: z.enum(["standard", "priority"]), retailPrice: z.number() }))
  .register(z.globalRegistry, { id: "ServicePrices" });

/** `test`: the real provider's test mode, in which no money moves. */
const mode = z.enum(["sandbox", "test", "live"]);

export type Mode = z.output<typeof mode>;

/** `byHand`: staff submit to the real GRO. */
export const submissionMode = z.enum(["sandbox", "test", "live", "byHand"]);

const servicePrices = z.object({ standard: z.int(), priority: z.int() });

export const siteConfigAnswer = z
  .object({
    modes: z.object({ payments: mode, identity: mode, submission: submissionMode, mail: mode }),
    sandbox: z.boolean(),
    tradingName: z.string(),
    companyName: z.string(),
    companyNumber: z.string(),
    vatNumber: z.string(),
    registeredIn: z.enum(["", ...placesOfRegistration]),
    registeredOffice: z.string(),
    postalAddress: z.string(),
    supportEmail: z.string(),
    telephone: z.string(),
    telephoneHours: z.string(),
    replyWorkingDays: z.string(),
    publishableKey: z.string(),
    stripeScript: z.nullable(z.string()),
    clerkPublishableKey: z.nullable(z.string()),
    termsVersion: z.int(),
    consentVersion: z.int(),
    priceListVersion: z.int(),
    prices: z.object({
      version: z.int(),
      effectiveFrom: z.string(),
      unitPricePence: z.object({
        Birth: servicePrices,
        Death: servicePrices,
        Marriage: servicePrices,
        Adoption: servicePrices,
      }),
    }),
    orderableTypes: z.array(z.enum(certificateTypes)),
    testimonials: z.array(
      z.object({ quote: z.string(), name: z.string(), source: z.string(), url: z.optional(z.string()) }),
    ),
    facts: z.nullable(
      z.object({ submittedOrders: z.int(), medianMinutesToSubmission: z.nullable(z.number()) }),
    ),
    contactRetentionDays: z.int(),
  })
  .register(z.globalRegistry, {
    id: "SiteConfig",
    description: "What the pages need to know about this installation",
  });

export const showSiteConfig = get("/api/config", {
  summary: "What the pages need to know about this installation",
  from: "anyone",
  limit: "reads",
  answers: answers(siteConfigAnswer),
});

export const showPrices = get("/api/pricing/services/{service}", {
  summary: "Prices of one certificate, in pounds",
  from: "anyone",
  limit: "reads",
  answers: answers(pricesAnswer),
  refuses: ["not-found"],
});

export type SiteConfig = z.output<typeof siteConfigAnswer>;
