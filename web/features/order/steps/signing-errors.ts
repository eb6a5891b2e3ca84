import type { Draft } from "../../../ordering/draft/draft.ts";

/** A missing item of step 4: the control's id, and the message. */
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
  if (!acceptsTerms) missing.push({ id: "accept-terms", message: acceptTerms });
  if (!asksToBegin) missing.push({ id: "ask-to-begin", message: askToBegin });
  return missing;
}

const acceptTerms = "Please accept the terms and conditions to continue";
const askToBegin = "Please ask us to start now, or we cannot submit your application";

/** The notification about an unticked box; the terms come first. Undefined when both are ticked. */
export function boxNotice({ acceptsTerms, asksToBegin }: Pick<Draft, "acceptsTerms" | "asksToBegin">) {
  if (!acceptsTerms) return { title: "Terms & Conditions", description: acceptTerms };
  return asksToBegin ? undefined : { title: "Your request to start", description: askToBegin };
}
