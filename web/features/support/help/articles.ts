import { groPhone } from "../../../../domain/forms/registration-office.ts";
import { groFees } from "../../../../domain/pricing/fees.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import {
  cutOffWords,
  despatchWords,
  missingAfterWorkingDays,
  postWords,
  processingMeaning,
  processingWords,
} from "../../../../domain/promise/timetable.ts";
import { pages } from "../../../paths.ts";
import type { Article } from "./article.ts";

const beforeOrdering: readonly Article[] = [
  {
    id: "are-you-official",
    question: "Are you the General Register Office?",
    answer: [
      `No. We are a private company and not affiliated with the GRO or any other government body. You can order from the GRO yourself for ${formatPounds(groFees.feePence.standard)} a copy, or ${formatPounds(groFees.feePence.priority)} with priority.`,
      "What you pay us for is the work around it: plain questions, checking, submission, updates, and someone to write to.",
    ],
    otherWords: "government official gov.uk scam legitimate real genuine home office",
    link: { to: pages.pricing, words: "See what goes where" },
  },
  {
    id: "what-do-i-need",
    question: "What do I need to know to order a certificate?",
    answer: [
      "For a birth: the name at birth, the place and date, the mother’s names and, if you can, the father’s. For a death: the name, the date and place, the age, the parents’ names and the occupation.",
      "For births registered more than 50 years ago you may answer some questions with ‘I don’t know’. For more recent ones the GRO asks for the full date, the place and the parents’ names.",
    ],
    otherWords: "information details required missing unknown 50 years",
  },
  {
    id: "gro-reference",
    question: "What is a GRO reference, and do I need one?",
    answer: [
      "It is the entry’s place in the GRO’s index: year, quarter, district, volume and page. You find it in family history indexes. You do not need one: without it the GRO searches, and its search fee is in our price already.",
      "With it, the GRO finds the entry sooner, and a mistake elsewhere matters less.",
    ],
    otherWords: "index volume page quarter district number freebmd",
  },
  {
    id: "how-long",
    question: "How long does a certificate take?",
    answer: [
      `Standard: despatched ${despatchWords.standard}. Priority: ${despatchWords.priority}. Then comes the post, usually ${postWords}. ${cutOffWords}`,
      `The order form says ‘${processingWords("standard")}’ for Standard and ‘${processingWords("priority")}’ for Priority. ${processingMeaning}`,
      "The order form and your tracking page name the day by which we expect despatch, and the likely day of arrival.",
    ],
    otherWords: "delivery time fast quick urgent express priority standard days weeks arrive turnaround",
    link: { to: pages.howItWorks, words: "How it works" },
  },
  {
    id: "scotland-northern-ireland",
    question: "Can you order certificates from Scotland or Northern Ireland?",
    answer: [
      "No. The GRO for England and Wales has no records of events registered there. National Records of Scotland and the General Register Office for Northern Ireland (GRONI) keep those, and take orders themselves.",
      "The order form stops before any payment if you choose one of them, and links to the right office.",
    ],
    otherWords: "scottish belfast edinburgh groni nrs irish ireland",
    link: { to: pages.services, words: "What we can and cannot order" },
  },
  {
    id: "adopted",
    question: "I was adopted and want my own birth certificate. What do I do?",
    answer: [
      `For the certificate of your birth before the adoption, the GRO handles this by phone: call ${groPhone.number}. It would reject an application through us, so the order form stops before any payment.`,
    ],
    otherWords: "adoption original birth parents adoptee",
  },
  {
    id: "someone-else",
    question: "Can I order a certificate for someone else, or for a company?",
    answer: [
      "Yes. Entries in the registers are public, so you may order a copy of anybody’s. Say in the form whether the certificate is your own, and give the company’s name if you order for one. The certificate is posted to the address you give.",
    ],
    otherWords: "family relative solicitor business behalf client parent grandparent",
  },
  {
    id: "several-copies",
    question: "How many copies can I order?",
    answer: [
      "Up to 5 of one certificate in an order; each costs the same. For probate it helps to have one for each bank or insurer, because most want to see the paper. For another person’s certificate, place another order.",
    ],
    otherWords: "multiple duplicates extra copy quantity full short",
    link: { to: pages.order, words: "Start an order" },
  },
];

const afterOrdering: readonly Article[] = [
  {
    id: "where-is-it",
    question: "Where is my certificate?",
    answer: [
      "Look up your order with its number: the page shows how far it is and the day by which we expect the GRO to despatch it. The GRO posts it straight to you; we never have it in our hands.",
      `The post usually takes ${postWords}. If it has not come ${missingAfterWorkingDays} working days after that day, contact us and we’ll ask the GRO.`,
    ],
    otherWords: "track tracking late lost delayed not arrived status post delivery waiting",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "lost-order-number",
    question: "I cannot find my order number. Where is it?",
    answer: [
      "In every e-mail we sent you about the order. Look in the spam folder too, and for the address you gave: a slip in it is the usual reason. If there is nothing, write to us with the form below and say when you ordered and what.",
    ],
    otherWords: "confirmation email missing forgot reference no mail received",
  },
  {
    id: "cancel",
    question: "Can I cancel my order and get my money back?",
    answer: [
      "Yes, with a full refund, until the application has been submitted to the GRO. Your order’s page says whether it is still possible and has the button for it. Submission may follow within minutes of the payment.",
      "After that the service has been performed, and neither we nor the GRO can take the application back.",
    ],
    otherWords: "cancellation refund withdraw stop changed my mind 14 days money",
    link: { to: pages.terms, words: "The terms on cancelling" },
  },
  {
    id: "mistake",
    question: "I made a mistake in my application. Can it be corrected?",
    answer: [
      "Until it has been submitted you can correct it yourself on the order’s page, or cancel there and get everything back. Once it has been submitted, write to us at once with your order number and the right answer, choosing ‘A mistake in my application’. We can often still tell the GRO.",
      "Please do not order a second time before we have answered.",
    ],
    otherWords: "wrong error typo change correct spelling amend name date address",
  },
  {
    id: "not-found",
    question: "What happens if the GRO cannot find the record?",
    answer: [
      `It keeps ${formatPounds(groFees.keptWhenNotFoundPence)} a copy for the search and returns the rest of its fee. We refund to your card what it returns, and tell you by e-mail.`,
      "The usual reasons are another spelling, another year, or an event that was registered elsewhere. With something new to go on, a second try can succeed.",
    ],
    otherWords: "no trace search failed cannot locate unsuccessful",
  },
  {
    id: "gro-question",
    question: "The GRO has a question about my application. Why do I have to type my answers again?",
    answer: [
      "Because we no longer have them. What you told us is destroyed within 3 minutes of submission, so when the GRO asks something we can only pass the question on to you.",
    ],
    otherWords: "queried query re-enter again deleted",
  },
];

const moneyAndData: readonly Article[] = [
  {
    id: "payment-failed",
    question: "My card was refused. Have I been charged?",
    answer: [
      "No. A refused card is not charged, and no application is sent. Some banks show the amount as pending for a few days and then let it go. You can try again with the same or another card: the order waits for 24 hours, and a second press never charges twice.",
    ],
    otherWords: "declined payment problem charged twice double bank pending 3d secure",
  },
  {
    id: "card-details",
    question: "Do you store my card details?",
    answer: [
      "No. They go from your browser straight to the payment provider. We learn whether the payment succeeded and how much it was.",
    ],
    otherWords: "credit debit safe security stripe number saved",
  },
  {
    id: "data",
    question: "What happens to what I tell you about the person on the certificate?",
    answer: [
      "It is encrypted when it reaches us, sent to the GRO, and destroyed within 3 minutes of submission, typically in seconds. Your order’s page then shows a certificate of deletion that says what was destroyed, when, and how that was checked.",
      "Your own name, address and e-mail are kept for a while after the order is complete, in case you have questions: the privacy policy says how long.",
    ],
    otherWords: "privacy gdpr personal data delete deletion erase kept stored secure",
    link: { to: pages.privacy, words: "Privacy policy" },
  },
  {
    id: "complain",
    question: "How do I complain?",
    answer: [
      "With the form below: choose ‘A complaint about our service’. You get a ticket number and a private page for the conversation. For complaints about personal data there is a form of its own; we acknowledge those within 30 days.",
    ],
    otherWords: "complaint unhappy ombudsman regulator ico dissatisfied",
    link: { to: pages.dataProtection, words: "Data protection complaints" },
  },
];

/** The help articles, grouped, in the order in which the page shows them. */
export const helpGroups: readonly { readonly title: string; readonly articles: readonly Article[] }[] = [
  { title: "Before you order", articles: beforeOrdering },
  { title: "After you have ordered", articles: afterOrdering },
  { title: "Payment and your data", articles: moneyAndData },
];
