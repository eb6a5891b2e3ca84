import type { Draft } from "../../../draft/draft.ts";

/** What step 4 still lacks: the id of the control, and the words. */
export interface SigningError {
  readonly id: "signature" | "accept-terms" | "ask-to-begin";
  readonly message: string;
}

/** In the order of the page. */
export function signingErrors({
  signature,
  acceptsTerms,
  asksToBegin,
}: Pick<Draft, "signature" | "acceptsTerms" | "asksToBegin">): SigningError[] {
  const missing: SigningError[] = [];
  if (signature.trim() === "") missing.push({ id: "signature", message: "Type your full name to sign" });
  if (!acceptsTerms) {
    missing.push({ id: "accept-terms", message: "Please accept the terms and conditions to continue" });
  }
  if (!asksToBegin) {
    missing.push({
      id: "ask-to-begin",
      message: "Please ask us to begin now, or we cannot submit your application",
    });
  }
  return missing;
}
