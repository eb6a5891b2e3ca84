import * as z from "zod/mini";
import { contactRecord, enteredApplication } from "../../domain/forms/sealed-records.ts";
import { answers, get, post, type Sent } from "../request.ts";
import { contactFields } from "./ordering.ts";
import { statusAnswer } from "./shapes.ts";

/** As its form takes it back. */
export const ownApplication = enteredApplication.meta({
  id: "OwnApplication",
  description: "The application as its form takes it back",
});

/** Who is written to, as the order's form takes it back. */
export const ownContact = contactRecord.meta({ id: "OwnContact" });

/** `POST /api/orders`' own fields, any of them; what is left out stays as it is. */
export const contactRequest = z.partial(z.object(contactFields)).check(
  z.refine((change) => Object.keys(change).length > 0, {
    path: ["email"],
    error: "Please enter a valid email address",
  }),
);

/** Read by the schema of the order's own variant, once the order is known. */
export const applicationRequest = z.looseObject({});

/** `replaced`: the draft changed and a new order takes this one's place. */
export const cancelOrder = post("/api/orders/{id}/cancel", {
  summary: "Cancel an order, or ask for it",
  from: "holder",
  limit: "commands",
  body: z.object({
    reason: z._default(
      z.enum(["customerRequest", "replaced"], "Reason must be customerRequest or replaced"),
      "customerRequest",
    ),
  }),
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "payment-processing", "payments-unavailable"],
});

export const changeApplication = post("/api/orders/{id}/application", {
  summary: "Enter the application again, or answer the GRO's question",
  from: "holder",
  limit: "commands",
  body: applicationRequest,
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "idempotency-key-reused"],
});

export const showApplication = get("/api/orders/{id}/application", {
  summary: "The application, while it can be changed; for its holder alone",
  from: "holder",
  limit: "reads",
  answers: answers(ownApplication),
  refuses: ["forbidden-in-phase"],
});

export const changeContact = post("/api/orders/{id}/contact", {
  summary: "Correct who is written to",
  from: "holder",
  limit: "commands",
  body: contactRequest,
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "idempotency-key-reused"],
});

export const showContact = get("/api/orders/{id}/contact", {
  summary: "Who is written to; for its holder alone",
  from: "holder",
  limit: "reads",
  answers: answers(ownContact),
});

export type ContactChange = Sent<typeof changeContact>;
export type OwnApplication = z.output<typeof ownApplication>;
export type OwnContact = z.output<typeof ownContact>;
