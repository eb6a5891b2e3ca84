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

/** A certificate that was paid for. */
export type ConfirmedCertificate = {
  orderNumber: string;
  trackingLink: string;
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
  /** Undefined while its submission is about to be asked for. */
  despatchBy: string | undefined;
};

type ConfirmationValues = Occasion & {
  /** At least one: all that the payment paid for. */
  certificates: readonly ConfirmedCertificate[];
  termsVersion: number | undefined;
  /** When the customer asked us to begin within the 14 days. */
  beginAskedAt: string | undefined;
  /** Submitted by a person, so no promise of minutes. */
  submittedByHand: boolean;
};

const times = (copies: number, what: string): string => (copies === 1 ? what : `${copies} × ${what}`);

const price = (values: ConfirmedCertificate, sum: string): Block => {
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
    sum: { name: sum, value: formatPounds(values.totalPence) },
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

const included = "Total paid, all taxes included";

const certificateFacts = (values: ConfirmedCertificate): Block =>
  facts(
    { name: "Order number", value: values.orderNumber },
    {
      name: "Certificate",
      value: times(values.copies, `${values.certificateType} certificate, full copy`),
    },
    { name: "Service level", value: values.serviceLevel === "priority" ? "Priority" : "Standard" },
    { name: "Ordered", value: writtenMoment(values.orderedAt) },
    { name: "Paid", value: writtenMoment(values.paidAt) },
  );

const expected = ({ despatchBy }: ConfirmedCertificate): string =>
  despatchBy === undefined ? "" : expectedDays(despatchBy);

/** One certificate, as most orders have it. */
const forOne = (certificate: ConfirmedCertificate, values: ConfirmationValues): Block[] => [
  certificateFacts(certificate),
  button("Track your order", certificate.trackingLink),
  heading("What you paid"),
  price(certificate, included),
  heading("When it arrives"),
  paragraph(
    `We submit your application ${submissionWords(values.submittedByHand)}. ${expected(certificate)} The GRO prints it and posts it ${postedTo(values)}; we neither print nor deliver it.`,
  ),
];

/** Several, each an order of its own that goes on by itself. */
const forSeveral = (values: ConfirmationValues): Block[] => [
  ...values.certificates.flatMap((certificate) => [
    heading(`${certificate.certificateType} certificate`),
    certificateFacts(certificate),
    price(certificate, "Total for this order"),
    ...(certificate.despatchBy === undefined ? [] : [paragraph(expected(certificate))]),
    button(`Track order ${certificate.orderNumber}`, certificate.trackingLink),
  ]),
  heading("What you paid"),
  facts({
    name: included,
    value: formatPounds(values.certificates.reduce((sum, { totalPence }) => sum + totalPence, 0)),
  }),
  heading("When they arrive"),
  paragraph(
    `We submit your applications ${submissionWords(values.submittedByHand)}. The GRO prints the certificates and posts them separately ${postedTo(values)}; we neither print nor deliver them.`,
  ),
];

/** The confirmation on a durable medium (regulation 16), sent before anything is sent to the GRO. */
export const confirmation = (values: ConfirmationValues, company: Company): Letter => {
  const [certificate, ...others] = values.certificates;
  const isOne = certificate !== undefined && others.length === 0;
  return {
    subject: isOne ? "We have received your order" : "We have received your orders",
    blocks: [
      paragraph(
        `Thank you. We have received your payment and are about to send your ${isOne ? "application" : "applications"} to the General Register Office (GRO). Please keep this email: it is the confirmation of your contract with us.`,
      ),
      ...(isOne ? forOne(certificate, values) : forSeveral(values)),
      ...about(values, isOne, company),
    ],
  };
};

const about = (values: ConfirmationValues, isOne: boolean, company: Company): Block[] => [
  heading("Your details"),
  paragraph(
    isOne
      ? "We delete the sensitive details in your application within 3 minutes of the GRO receiving it. You’ll find the receipt on your order’s page."
      : "We delete the sensitive details in each application within 3 minutes of the GRO receiving it. You’ll find the receipt on its order’s page.",
  ),
  heading("Your right to cancel"),
  paragraph(
    `The law gives you 14 days from the day of your order to cancel it without giving any reason. ${askedToBegin(values)}`,
  ),
  list(
    `You can cancel ${isOne ? "until your application" : "each order until its application"} has been submitted to the GRO, on ${isOne ? "your" : "the"} order’s page or by telling us clearly, for example by email. We then refund everything you paid ${isOne ? "" : "for it "}to the card you paid with, without undue delay and within 14 days, at no cost to you.`,
    `Once it has been submitted${values.submittedByHand ? "" : ", usually within minutes of this email,"} the service ${isOne ? "" : "for it "}has been fully performed and can no longer be cancelled.`,
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
];
