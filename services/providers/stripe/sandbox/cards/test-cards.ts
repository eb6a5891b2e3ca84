/** The bank's answer to a card. Codes and sentences are in Stripe's format. */
export type CardAnswer =
  | { kind: "paid" }
  | { kind: "authenticate" }
  | { kind: "declined"; code: string; declineCode: string | null; message: string };

const declined = (declineCode: string, message = "Your card was declined."): CardAnswer => ({
  kind: "declined",
  code: "card_declined",
  declineCode,
  message,
});
const faulty = (code: string, message: string): CardAnswer => ({
  kind: "declined",
  code,
  declineCode: null,
  message,
});

/** The bank's answer to any card past its expiry month. */
export const expiredCard = faulty("expired_card", "Your card has expired.");

/** https://docs.stripe.com/testing: Stripe's own numbers, so tests transfer to Stripe. */
const cards: Readonly<Record<string, CardAnswer>> = {
  "4242424242424242": { kind: "paid" },
  "4000002500003155": { kind: "authenticate" },
  "4000000000000002": declined("generic_decline"),
  "4000000000009995": declined("insufficient_funds", "Your card has insufficient funds."),
  "4000000000000069": expiredCard,
  "4000000000000127": faulty("incorrect_cvc", "Your card's security code is incorrect."),
  "4000000000000119": faulty(
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
  ),
};

const notATestCard = declined(
  "test_mode_live_card",
  "Your card was declined. This is a sandbox: use one of the test cards named below the form.",
);

/** The bank's answer to a card number (digits only). Any number that is not a test card's is refused. */
export const answerOfCard = (number: string): CardAnswer => cards[number] ?? notATestCard;

const tokens: Readonly<Record<string, CardAnswer>> = {
  pm_card_visa: { kind: "paid" },
  pm_card_authenticationRequired: { kind: "authenticate" },
  pm_card_chargeDeclined: declined("generic_decline"),
  pm_card_chargeDeclinedInsufficientFunds: declined(
    "insufficient_funds",
    "Your card has insufficient funds.",
  ),
};

/** The bank's answer to one of Stripe's test payment methods, as used by a server; undefined if unknown. */
export const answerOfToken = (paymentMethod: string): CardAnswer | undefined => tokens[paymentMethod];
