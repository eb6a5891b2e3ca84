import { uuidV5 } from "../../infra/uuid.ts";

/** Derives ids that nobody outside this installation can foretell: name parts in, UUID out. */
export type DeriveId = (...parts: readonly string[]) => string;

/** `secret` is the installation's 32 bytes named id-namespace; they stand where RFC 9562 has a namespace UUID. */
export function idDeriver(secret: Buffer): DeriveId {
  return (...parts) => uuidV5(secret, JSON.stringify(parts));
}
