/**
 * Loaded before the product in tests (`--import`): Clerk's backend API is the local peer then. The product has no
 * setting for that.
 */
const real = globalThis.fetch;
const elsewhere = process.env.TEST_CLERK_API;
if (elsewhere === undefined) throw new Error("TEST_CLERK_API is not set.");
globalThis.fetch = (input, init) =>
  real(typeof input === "string" ? input.replace("https://api.clerk.com", elsewhere) : input, init);
