/** What the card's frame sends to its own origin, at `/confirm`: a card that is taken without a question. */
export const cardPaymentBody = (publishableKey: string, clientSecret: string) => ({
  publishableKey,
  clientSecret,
  number: "4242424242424242",
  expiryMonth: 12,
  expiryYear: 2090,
  securityCode: "123",
  returnUrl: null,
});
