import { mostOrders } from "../../../../domain/checkout/shares.ts";
import { groPhone } from "../../../../domain/forms/registration-office.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { groFees } from "../../../../domain/pricing/price-list.ts";
import {
  closedAfterWorkingDays,
  cutOffWords,
  despatchWords,
  missingAfterWorkingDays,
  postWords,
  processingMeaning,
  processingWords,
} from "../../../../domain/promise/timetable.ts";
import { pages } from "../../../paths.ts";

/** A question and its answer in plain text, which keeps it searchable. */
export interface Article {
  /** Part of an address: `/support#where-is-it`. */
  readonly id: string;
  readonly question: string;
  /** The answer, a text for each paragraph. */
  readonly answer: readonly string[];
  /** Extra search keywords. */
  readonly otherWords?: string;
  /** A link for the next step. */
  readonly link?: { readonly to: string; readonly words: string };
}

const beforeOrdering: readonly Article[] = [
  {
    id: "are-you-official",
    question: "Are you the General Register Office?",
    answer: [
      `No. We are a private company and not affiliated with the GRO or any other government body. You can order from the GRO yourself for ${formatPounds(groFees.feePence.standard)} a copy, or ${formatPounds(groFees.feePence.priority)} with priority.`,
      "You pay us for the work around it: simple questions, checking, submission, updates, and support when you need it.",
    ],
    otherWords: "government official gov.uk scam legitimate real genuine home office",
    link: { to: pages.pricing, words: "See the price breakdown" },
  },
  {
    id: "who-are-you",
    question: "Who runs this service, and how do I reach you?",
    answer: [
      "Our registered name, company number and address are at the foot of every page and every email, and on the About Us page.",
      "You can write to us with the form below or by email. If we have a telephone line, its number and hours are shown beside it.",
    ],
    otherWords: "company name number registered office address phone telephone opening hours call contact",
    link: { to: pages.about, words: "About us" },
  },
  {
    id: "what-do-i-need",
    question: "What do I need to know to order a certificate?",
    answer: [
      "For a birth: the name at birth, the place and date, the mother’s names and, if you can, the father’s. For a death: the name, the date and place, the age, the parents’ names and the occupation.",
      "If the birth was registered over 50 years ago, you can answer some questions with ‘I don’t know’. For more recent births, the GRO needs the full date, the place and the parents’ names.",
    ],
    otherWords: "information details required missing unknown 50 years",
  },
  {
    id: "gro-reference",
    question: "What is a GRO reference, and do I need one?",
    answer: [
      "It identifies the entry in the GRO’s index by year, quarter, district, volume and page. You can find it in family history indexes. You don’t need one: without it the GRO searches for the entry, and our price already includes its search fee.",
      "With a reference, the GRO finds the entry sooner, and a mistake in your other answers matters less.",
    ],
    otherWords: "index volume page quarter district number freebmd",
  },
  {
    id: "what-you-get",
    question: "What does the certificate look like, and is it an original?",
    answer: [
      "It is a full certified copy of the entry in the register, on the GRO’s own paper. It counts as an original: passport offices, banks and probate registries accept it. The Services page shows what birth and death certificates contain.",
      "A short birth certificate leaves out the parents. We order full ones only.",
    ],
    otherWords: "full short long certified copy original legal sample example picture passport",
    link: { to: `${pages.services}#what-you-get`, words: "See what you get" },
  },
  {
    id: "pdf-or-image",
    question: "Could a PDF or a picture of the entry be enough?",
    answer: [
      `For a family tree, perhaps. The GRO sells many older entries as a PDF for ${formatPounds(groFees.pdfPence)} or a digital image for ${formatPounds(groFees.digitalImagePence)}. They are not certificates, so no office accepts them as evidence. We don’t sell them: you can order them from the GRO.`,
    ],
    otherWords: "pdf digital image download scan cheaper genealogy ancestry family history tree",
    link: { to: `${pages.services}#what-you-get`, words: "What a certificate holds" },
  },
  {
    id: "post-to-someone-else",
    question: "Can the certificate be posted to someone else?",
    answer: [
      "Yes, to any address in the United Kingdom. In the step ‘Your Details’, choose ‘Someone else’ and enter the recipient’s name and address. If you order several certificates together, they all go there. Our emails still come to you. Until the application has been submitted, you can change the recipient on your order’s page.",
      "In the same step, you can add a reference for your own records, such as a case number. It appears on our emails and on your receipt.",
    ],
    otherWords:
      "send recipient relative solicitor gift different delivery address another person case number",
  },
  {
    id: "how-long",
    question: "How long does a certificate take?",
    answer: [
      `Standard: despatched ${despatchWords.standard}. Priority: ${despatchWords.priority}. Then allow ${postWords} for the post. ${cutOffWords}`,
      `The order form says ‘${processingWords("standard")}’ for Standard and ‘${processingWords("priority")}’ for Priority. ${processingMeaning}`,
      "The order form and your order’s page show when we expect despatch, and when the certificate is likely to arrive.",
    ],
    otherWords: "delivery time fast quick urgent express priority standard days weeks arrive turnaround",
    link: { to: pages.howItWorks, words: "How it works" },
  },
  {
    id: "scotland-northern-ireland",
    question: "Can you order certificates from Scotland or Northern Ireland?",
    answer: [
      "No. The GRO for England and Wales has no records of events registered there. National Records of Scotland and the General Register Office for Northern Ireland (GRONI) keep those records, and you can order from them directly.",
      "The order form stops before any payment if you choose one of them, and links to the right office.",
    ],
    otherWords: "scottish belfast edinburgh groni nrs irish ireland",
    link: { to: pages.services, words: "What we can and cannot order" },
  },
  {
    id: "adopted",
    question: "I was adopted and want my own birth certificate. What do I do?",
    answer: [
      `The GRO handles orders for your original birth certificate by phone: call ${groPhone.number}. It would reject an application from us, so the order form stops before any payment.`,
    ],
    otherWords: "adoption original birth parents adoptee",
  },
  {
    id: "someone-else",
    question: "Can I order a certificate for someone else, or for a company?",
    answer: [
      "Yes. The registers are public, so you can order a copy of anyone’s entry. Tell us in the form whether the certificate is your own, and give the company’s name if you are ordering for one. The certificate is posted to the address you give.",
    ],
    otherWords: "family relative solicitor business behalf client parent grandparent",
  },
  {
    id: "order-another",
    question: "I order often. Do I have to type my details again?",
    answer: [
      "No. Open an order of yours from our email, or in the browser in which you placed it, and choose ‘Order Another Like This’. We’ll fill in your details and the same certificate, number of copies and service, and ask only about the person on the certificate. If you ordered several together, you choose which of them.",
    ],
    otherWords: "again repeat reorder same details professional solicitor genealogist business",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "several-copies",
    question: "How many copies can I order?",
    answer: [
      `Up to 5 copies of one certificate in each order, all at the same price. For probate, it helps to have one for each bank or insurer, because most want to see an original. For another person’s certificate, choose ‘Add another certificate’ before you pay: one payment covers up to ${mostOrders} certificates, and each gets its own order number.`,
    ],
    otherWords: "multiple duplicates extra copy quantity full short",
    link: { to: pages.order, words: "Start an order" },
  },
  {
    id: "finish-later",
    question: "Can I finish my order later, or on another device?",
    answer: [
      "Yes. Once you have chosen a certificate, select ‘Email me a link to finish later’ below any step before payment. The link opens your order where you left off, with all its certificates, on any device, for 7 days. You sign and pay only when you place the order.",
      "We keep your answers encrypted and delete them after 7 days, or as soon as you save the order again, delete it with the second link in the email, or pay for the order. Anyone with the link can see your answers, so don’t forward it. We send no reminders.",
    ],
    otherWords: "save draft continue resume come back return phone computer unfinished incomplete email link",
  },
];

const afterOrdering: readonly Article[] = [
  {
    id: "where-is-it",
    question: "Where is my certificate?",
    answer: [
      "Look up your order with its number. The page shows its progress and when we expect the GRO to despatch it. The GRO posts it straight to you: it never passes through our hands.",
      `The post usually takes ${postWords}. Once the certificate has been despatched, your order’s page shows the date from which we can ask the GRO to send another: ${missingAfterWorkingDays} working days after despatch. If it has not arrived by then, write to us.`,
      `When it has arrived, open the order from our email and choose ‘It Arrived’. That closes the order. Otherwise we close it ${closedAfterWorkingDays} working days after despatch.`,
    ],
    otherWords: "track tracking late lost delayed not arrived status post delivery waiting",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "lost-order-number",
    question: "I cannot find my order number. Where is it?",
    answer: [
      "It is in every email we send you about the order. Check your spam folder too. If you can’t find one, choose ‘I don’t have my order number’ on the page where you look up an order. We’ll email you links to the orders you placed in the last year with that address.",
      "If no email comes, the address you gave us may be wrong: a typing mistake is the usual cause. Or we may have deleted the contact details of the order, and then we can’t find it by email address. Use the form below to tell us what you ordered and when.",
    ],
    otherWords: "confirmation email missing forgot reference no mail received link",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "could-not-reach-you",
    question: "My order’s page says ‘We could not reach you’. What do I do?",
    answer: [
      "An email about your order came back to us. The address may have a typing mistake or no longer exist, or its mailbox was full for more than a day. Until that is settled, we send nothing more to it.",
      "Open the order in the browser in which you placed it, or from an earlier email, and give another address, or the same one if it works again. If you can’t open it, write to us with the form below.",
      "We’ll then send what you missed, except for emails that no longer apply, and tell the earlier address that it was replaced. If the email that came back was our confirmation, your application may be waiting: we send it once a confirmation has reached you.",
      "If the page says nothing of the kind, but you miss an email, look in your spam folder. What is put there doesn’t come back to us. Mark our emails as ‘not spam’, so that the next one reaches you.",
    ],
    otherWords:
      "email bounce bounced came back returned undelivered wrong mistyped address spam junk folder inbox mailbox full received receive",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "cancel",
    question: "Can I cancel my order and get my money back?",
    answer: [
      "Yes, with a full refund, until the application has been submitted to the GRO. Your order’s page shows whether you can still cancel, and has a button to do it. We may submit the application within minutes of your payment.",
      "If you paid for several certificates together, each is an order of its own. You can cancel one and keep the others, or choose ‘Cancel all that may still be cancelled’ on the page of one. We refund what you paid for each order that is cancelled.",
      "After that our service is complete, and neither we nor the GRO can withdraw the application.",
    ],
    otherWords: "cancellation refund withdraw stop changed my mind 14 days money",
    link: { to: pages.terms, words: "Cancellation terms" },
  },
  {
    id: "mistake",
    question: "I made a mistake in my application. Can it be corrected?",
    answer: [
      "Until it has been submitted, you can correct it yourself on your order’s page, or cancel there and get a full refund. Once it has been submitted, write to us straight away with your order number and the correct answer, choosing ‘A mistake in my application’. We can often still tell the GRO.",
      "Please don’t order again until we have replied.",
    ],
    otherWords: "wrong error typo change correct spelling amend name date address",
  },
  {
    id: "not-found",
    question: "What happens if the GRO cannot find the record?",
    answer: [
      `It keeps ${formatPounds(groFees.keptWhenNotFoundPence)} a copy for the search and returns the rest of its fee. We refund what it returns to your card, and email you about it.`,
      "The usual reasons are a different spelling, a different year, or an event that was registered elsewhere. A new application with better information may succeed.",
    ],
    otherWords: "no trace search failed cannot locate unsuccessful",
  },
  {
    id: "gro-question",
    question: "The GRO has a question about my application. Why do I have to type my answers again?",
    answer: [
      "Because we no longer have them. We delete your answers within 3 minutes of submission, so if the GRO has a question we can only pass it on to you.",
      "The time until despatch starts again when you answer. Your order’s page then shows the new expected date.",
    ],
    otherWords: "queried query re-enter again deleted",
  },
];

const moneyAndData: readonly Article[] = [
  {
    id: "payment-failed",
    question: "My card was refused. Have I been charged?",
    answer: [
      "No. We don’t charge a refused card or submit an application for it. Some banks show the amount as pending for a few days and then release it. You can try again with the same card or another one: we keep your order for 24 hours, and pressing the button twice never charges you twice.",
    ],
    otherWords: "declined payment problem charged twice double bank pending 3d secure",
  },
  {
    id: "receipt",
    question: "Can I have a receipt or an invoice?",
    answer: [
      "Yes. Open your order from a link in one of our emails and choose ‘Receipt (PDF)’. It names the seller and the buyer, and shows each part of the price, any VAT and any refund.",
      "For a company, give its name in the order form: the receipt shows it. If you paid for several certificates together, one receipt lists those that you ordered in the same browser or opened in it from our emails. You find it on each of their pages.",
    ],
    otherWords: "vat invoice bill proof of payment business expenses company accounts tax",
    link: { to: pages.lookup, words: "Look up your order" },
  },
  {
    id: "card-details",
    question: "Do you store my card details?",
    answer: [
      "No. They go from your browser straight to the payment provider. We are told only whether the payment succeeded, and how much it was.",
    ],
    otherWords: "credit debit safe security stripe number saved",
  },
  {
    id: "data",
    question: "What happens to what I tell you about the person on the certificate?",
    answer: [
      "We encrypt it when it reaches us, send it to the GRO, and delete it within 3 minutes of submission, typically in seconds. Your order’s page then shows a certificate of deletion that says what was deleted, when, and how that was checked.",
      "We keep your own name, address and email for a while after the order is closed, in case you have questions. The privacy policy says how long.",
    ],
    otherWords: "privacy gdpr personal data delete deletion erase kept stored secure",
    link: { to: pages.privacy, words: "Privacy policy" },
  },
  {
    id: "proof",
    question: "How can I check that the deletion of my details is on record?",
    answer: [
      "Download the proof from the certificate of deletion on your order’s page, and choose the file on the page ‘Check a proof of deletion’. Your browser checks that the deletion is on record in our public log, and that the record has not been changed since. The file stays on your device.",
      "The record is our own statement: no file can prove that data was destroyed, or that it was never copied. The page says what the proof shows and what it does not.",
    ],
    otherWords: "verify proof evidence deletion certificate tlog transparency log trust",
    link: { to: pages.verify, words: "Check a proof of deletion" },
  },
  {
    id: "answer-by-email",
    question: "Can I answer by email, or send you a file?",
    answer: [
      "Yes. Reply to any of our emails about your conversation: your answer appears on its private page, and we are told. You can also write and attach files on the page itself: images, PDF or plain text, up to 20 files and 10 MB in total.",
      "Our emails only say that we have replied, with a private link, because email is not private. If you would rather have our replies in the emails, choose so when you write to us, or later on the page of the conversation.",
    ],
    otherWords: "reply attach attachment upload photo scan document pdf mail private",
  },
  {
    id: "complain",
    question: "How do I complain?",
    answer: [
      "Use the form below and choose ‘A complaint about our service’. You get a ticket number and a private page for the conversation. There is a separate form for complaints about personal data, which we acknowledge within 30 days.",
    ],
    otherWords: "complaint unhappy ombudsman regulator ico dissatisfied",
    link: { to: pages.dataProtection, words: "Data protection complaints" },
  },
];

/** The help articles, by group, in display order. */
export const helpGroups: readonly { readonly title: string; readonly articles: readonly Article[] }[] = [
  { title: "Before you order", articles: beforeOrdering },
  { title: "After you have ordered", articles: afterOrdering },
  { title: "Payment and your data", articles: moneyAndData },
];
