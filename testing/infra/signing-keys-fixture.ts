import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";

/** One key that never changes. */
export const onlyKey = (key: Buffer): SigningKeys => ({ current: () => key, accepted: () => [key] });
