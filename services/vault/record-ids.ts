import { uuidV5 } from "../../infra/commands/sealing.ts";

/** Derives ids that cannot be predicted outside this installation: name parts in, UUID out. */
export type DeriveId = (...parts: readonly string[]) => string;

/** @param secret the installation's 32 bytes named id-namespace, used in place of RFC 9562's namespace UUID */
export function idDeriver(secret: Buffer): DeriveId {
  return (...parts) => uuidV5(secret, JSON.stringify(parts));
}
