/** What the card frame posts to `/confirm`: a card accepted without 3-D Secure. */
export const cardPaymentBody = (publishableKey: string, clientSecret: string) => ({
  publishableKey,
  clientSecret,
  number: "4242424242424242",
  expiryMonth: 12,
  expiryYear: 2090,
  securityCode: "123",
  returnUrl: null,
});
