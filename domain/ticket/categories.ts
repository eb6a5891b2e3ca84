import { type TicketCategory, ticketCategory } from "./vocabulary.ts";

/** What a ticket can be about, in the customer's words. */
interface TicketCategoryChoice {
  readonly id: TicketCategory;
  readonly label: string;
}

const labels: Readonly<Record<TicketCategory, string>> = {
  order: "An order I placed",
  payment: "A payment, or a refund on its way",
  cancellation: "Cancelling my order and getting my money back",
  certificate: "A certificate that is late, lost or wrong",
  correction: "A mistake in my application",
  question: "A question before I order",
  serviceComplaint: "A complaint about our service",
  dataProtectionComplaint: "A data protection complaint",
  dataRequest: "My personal data: see it, correct it or have it deleted",
  other: "Something else",
};

/** The same in a word or two, for those who see it all day. */
export const categoryInShort: Readonly<Record<TicketCategory, string>> = {
  order: "Order",
  payment: "Payment",
  cancellation: "Cancellation",
  certificate: "Certificate",
  correction: "Correction",
  question: "Question",
  serviceComplaint: "Service complaint",
  dataProtectionComplaint: "Data protection complaint",
  dataRequest: "Personal data",
  other: "Other",
};

/** The label of a category. */
export const categoryLabel = (category: TicketCategory): string => labels[category];

/** Every category, in the order in which forms offer them. */
export const ticketCategories: readonly TicketCategoryChoice[] = ticketCategory.options.map((id) => ({
  id,
  label: labels[id],
}));
