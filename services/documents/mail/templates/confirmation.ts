import { formatPounds } from "../../../../domain/pricing/money.ts";
import { submissionWords } from "../../../../domain/promise/timetable.ts";
import {
  type Company,
  contactLines,
  registrationLines,
  replyWords,
} from "../../../../domain/settings/company.ts";
import { expectedDays, writtenMoment } from "../../dates.ts";
import {
  type Block,
  button,
  facts,
  heading,
  type Letter,
  list,
  type Occasion,
  paragraph,
  postedTo,
} from "../letter.ts";

type ConfirmationValues = Occasion & {
  /** `Birth`, `Death` and so on. */
  certificateType: string;
  serviceLevel: "standard" | "priority";
  copies: number;
  /** Price components of one copy, in pence. */
  groFeePence: number;
  groSearchFeePence: number;
  ourFeePence: number;
  totalPence: number;
  /** Times in UTC. */
  orderedAt: string;
  paidAt: string;
  despatchBy: string;
  termsVersion: number | undefined;
  /** When the customer asked us to begin within the 14 days. */
  beginAskedAt: string | undefined;
  /** Submitted by a person, so no promise of minutes. */
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
        ? [line("GRO search fee (no index reference given)", values.groSearchFeePence)]
        : []),
      line("Our fee", values.ourFeePence),
      { name: "Postage", value: "included" },
    ],
    sum: { name: "Total paid, all taxes included", value: formatPounds(values.totalPence) },
  };
};

const askedToBegin = ({ beginAskedAt }: ConfirmationValues): string =>
  beginAskedAt === undefined
    ? "We start work within these 14 days only if you ask us to."
    : `On ${writtenMoment(beginAskedAt)} you expressly asked us to start work within these 14 days, and acknowledged that you lose the right to cancel once the service has been fully performed.`;

/**
 * Source of the form's wording: Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013,
 * schedule 3, part B.
 */
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

/** The confirmation on a durable medium (regulation 16), sent before anything is sent to the GRO. */
export const confirmation = (values: ConfirmationValues, company: Company): Letter => ({
  subject: "We have received your order",
  blocks: [
    paragraph(
      "Thank you. We have received your payment and are about to send your application to the General Register Office (GRO). Please keep this email: it is the confirmation of your contract with us.",
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
      `We submit your application ${submissionWords(values.submittedByHand)}. ${expectedDays(values.despatchBy)} The GRO prints it and posts it ${postedTo(values)}; we neither print nor deliver it.`,
    ),
    heading("Your details"),
    paragraph(
      "We delete the sensitive details in your application within 3 minutes of the GRO receiving it. You’ll find the receipt on your tracking page.",
    ),
    heading("Your right to cancel"),
    paragraph(
      `The law gives you 14 days from the day of your order to cancel it without giving any reason. ${askedToBegin(values)}`,
    ),
    list(
      "You can cancel until your application has been submitted to the GRO, on your tracking page or by telling us clearly, for example by email. We then refund everything you paid to the card you paid with, without undue delay and within 14 days, at no cost to you.",
      `Once it has been submitted${values.submittedByHand ? "" : ", usually within minutes of this email,"} the service has been fully performed and can no longer be cancelled.`,
      "You can use the form below to cancel, but you don’t have to.",
    ),
    cancellationForm(company),
    heading("About us and our terms"),
    list(
      `${[company.tradingName, ...contactLines(company)].join(", ")}.`,
      ...registrationLines(company),
      "The service: we fill in the GRO's application with your answers, submit it and pay the GRO's fee. You can also order from the GRO yourself, for the GRO's fee alone.",
      "If the service fails through our own error, we refund everything. If the GRO does not find the record, we refund what it returns to us. There is no refund for delays by the GRO or in the post.",
      values.termsVersion === undefined
        ? "English law applies. You keep all the rights you have as a consumer."
        : `Version ${values.termsVersion} of our terms applies, under English law. You keep all the rights you have as a consumer.`,
      `Complaints: email ${company.supportEmail} and a person will reply. ${replyWords(company)}`.trim(),
    ),
  ],
});
