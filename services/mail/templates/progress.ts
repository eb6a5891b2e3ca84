import { writtenDate, writtenMoment } from "./dates.ts";
import { button, type Letter, paragraph } from "./letter.ts";
import type { Occasion } from "./occasion.ts";

export type SubmittedValues = Occasion & { submittedAt: string; despatchBy: string | undefined };

/** The GRO has the application. */
export const submitted = (values: SubmittedValues): Letter => ({
  subject: "The GRO has your application",
  blocks: [
    paragraph(
      `Your application reached the General Register Office (GRO) on ${writtenMoment(values.submittedAt)}.`,
      values.despatchBy === undefined
        ? ""
        : ` We expect the GRO to despatch your certificate by ${writtenDate(values.despatchBy)}, by post to the address you gave.`,
    ),
    paragraph(
      "We are deleting the sensitive details in your application now. Within 3 minutes you find a receipt on the tracking page: what was deleted, when, how it was checked, and its fingerprint.",
    ),
    paragraph("As the GRO has begun its work, the order can no longer be cancelled."),
    button("Track your order", values.trackingLink),
  ],
});

/** The GRO asks something, and we no longer hold what was entered. */
export const groQuestion = (values: Occasion): Letter => ({
  subject: "The GRO has a question about your application",
  blocks: [
    paragraph(
      "The General Register Office (GRO) needs something about your application put right or added before it can go on.",
    ),
    paragraph(
      "We deleted the details of your application when we submitted it, so we cannot answer for you. Please open your order and enter the details again; we submit them and delete them again.",
    ),
    button("Open your order", values.trackingLink),
  ],
});

export type DispatchedValues = Occasion & { dispatchedAt: string };

/** The certificate is in the post. */
export const dispatched = (values: DispatchedValues): Letter => ({
  subject: "Your certificate is in the post",
  blocks: [
    paragraph(
      `The General Register Office (GRO) despatched your certificate on ${writtenMoment(values.dispatchedAt)}, by post to the address you gave.`,
    ),
    paragraph("If it does not arrive, write to us and we ask the GRO."),
    button("See your order", values.trackingLink),
  ],
});
