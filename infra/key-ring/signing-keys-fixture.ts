import type { SigningKeys } from "./signing-keys.ts";

/** One key that never changes. */
export const onlyKey = (key: Buffer): SigningKeys => ({ current: () => key, accepted: () => [key] });
