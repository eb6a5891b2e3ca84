import { formatPounds } from "../../../domain/pricing/money.ts";
import { submissionWords } from "../../../domain/promise/timetable.ts";
import type { Company } from "./company.ts";
import { expectedDays, writtenMoment } from "./dates.ts";
import { type Block, button, facts, heading, type Letter, list, paragraph } from "./letter.ts";
import type { Occasion } from "./occasion.ts";

export type ConfirmationValues = Occasion & {
  /** `Birth`, `Death` and so on. */
  certificateType: string;
  serviceLevel: "standard" | "priority";
  copies: number;
  /** Of one copy, in pence; the three make up its price. */
  groFeePence: number;
  groSearchFeePence: number;
  ourFeePence: number;
  totalPence: number;
  /** Moments in UTC. */
  orderedAt: string;
  paidAt: string;
  /** A day of the calendar. */
  despatchBy: string;
  termsVersion: number | undefined;
  /** When the customer asked us to begin inside the 14 days. */
  beginAskedAt: string | undefined;
  /** A person submits it: nobody can say that it takes minutes. */
  submittedByHand: boolean;
};

const times = (copies: number, what: string): string => (copies === 1 ? what : `${copies} × ${what}`);

const price = (values: ConfirmationValues): Block => {
  const line = (what: string, pence: number) => ({
    name: times(values.copies, what),
    value: formatPounds(pence * values.copies),
  });
  return {
    kind: "facts",
    facts: [
      line("GRO fee", values.groFeePence),
      ...(values.groSearchFeePence > 0
        ? [line("GRO search fee, as no index reference was given", values.groSearchFeePence)]
        : []),
      line("Our fee", values.ourFeePence),
      { name: "Postage", value: "included" },
    ],
    sum: { name: "Total paid, all taxes included", value: formatPounds(values.totalPence) },
  };
};

const askedToBegin = ({ beginAskedAt }: ConfirmationValues): string =>
  beginAskedAt === undefined
    ? "We begin the work inside these 14 days only if you ask us to."
    : `On ${writtenMoment(beginAskedAt)} you expressly asked us to begin within these 14 days, and you acknowledged that you lose the right to cancel once the service has been fully performed.`;

/** Source of the form's words: Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, schedule 3, part B. */
const cancellationForm = (company: Company): Block => ({
  kind: "form",
  lines: [
    `To ${company.tradingName}, ${company.postalAddress}, ${company.supportEmail}:`,
    "I/We [*] hereby give notice that I/We [*] cancel my/our [*] contract for the supply of the following service [*],",
    "Ordered on [*]/received on [*],",
    "Name of consumer(s),",
    "Address of consumer(s),",
    "Signature of consumer(s) (only if this form is notified on paper),",
    "Date",
    "[*] Delete as appropriate.",
  ],
});

/** The confirmation on a durable medium (regulation 16), sent before the GRO is sent anything. */
export const confirmation = (values: ConfirmationValues, company: Company): Letter => ({
  subject: "We have your order",
  blocks: [
    paragraph(
      "Thank you. Your payment has arrived, and we are about to send your application to the General Register Office (GRO). Please keep this mail: it is the confirmation of your contract with us.",
    ),
    facts(
      { name: "Order number", value: values.orderNumber },
      {
        name: "Certificate",
        value: times(values.copies, `${values.certificateType} certificate, full copy`),
      },
      { name: "Service level", value: values.serviceLevel === "priority" ? "Priority" : "Standard" },
      { name: "Ordered", value: writtenMoment(values.orderedAt) },
      { name: "Paid", value: writtenMoment(values.paidAt) },
    ),
    button("Track your order", values.trackingLink),
    heading("What you paid"),
    price(values),
    heading("When it arrives"),
    paragraph(
      `We submit your application ${submissionWords(values.submittedByHand)}. ${expectedDays(values.despatchBy)} The GRO prints it and posts it to the address you gave; we neither print nor deliver it.`,
    ),
    heading("Your details"),
    paragraph(
      "Once the GRO has your application we delete the sensitive details in it, within 3 minutes. You find the receipt on the tracking page.",
    ),
    heading("Your right to cancel"),
    paragraph(
      `The law gives you 14 days from the day of your order to cancel it without giving any reason. ${askedToBegin(values)}`,
    ),
    list(
      "Until your application has been submitted to the GRO you can cancel, on the tracking page or by telling us clearly, for instance by email. We then refund all you paid, without undue delay and within 14 days, to the card you paid with, and without any fee.",
      `Once it has been submitted${values.submittedByHand ? "" : ", usually within minutes of this mail,"} the service is fully performed and can no longer be cancelled.`,
      "You may use the form below, but you need not.",
    ),
    cancellationForm(company),
    heading("Who we are, and the small print"),
    list(
      `${company.tradingName}, ${company.postalAddress}, ${company.supportEmail}.`,
      "The service: we fill in the GRO's application with your answers, submit it and pay the GRO's fee. You can also order from the GRO yourself, for the GRO's fee alone.",
      "If a failure is our own error we refund everything. If the GRO does not find the record we pass on what it returns. There is no refund for delays of the GRO or of the post.",
      values.termsVersion === undefined
        ? "English law applies. You keep all the rights you have as a consumer."
        : `Version ${values.termsVersion} of our terms applies, under English law. You keep all the rights you have as a consumer.`,
      `Complaints: write to ${company.supportEmail}, and a person answers.`,
    ),
  ],
});
