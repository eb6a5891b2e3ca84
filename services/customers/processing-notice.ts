import { type Company, contactLines, registrationLines } from "../../domain/settings/company.ts";

/** The information that UK GDPR article 15(1) requires with the data. */
export const noticeOf = (controller: Company): readonly string[] => [
  `${controller.tradingName} holds this data to carry out your orders and to answer you, under its contract with you and where the law requires it.`,
  "All of it came from you, except payments (from the payment provider), the General Register Office’s reference and answers, and our own notes.",
  "We shared it with the General Register Office, the payment provider (amounts and order ids; only it has your card details) and our email provider. We do not sell it, and we make no automated decisions about you.",
  "We delete the details in your application within minutes of submission. Each section says what we hold, until when, and which rule then deletes it.",
  `You can ask us to correct or erase it, object to its use, restrict its use, or take it elsewhere: email ${controller.supportEmail} or write to us on our support page.`,
  [
    `${[controller.tradingName, ...contactLines(controller)].join(", ")}.`,
    ...registrationLines(controller),
  ].join(" "),
  "You can complain to the Information Commissioner’s Office (ico.org.uk).",
];
