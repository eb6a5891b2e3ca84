import { SignIn, SignUp } from "@clerk/react";
import type { ComponentType } from "react";
import type { ProviderPageProps } from "../identity-port.ts";
import { WithinClerk } from "./within-clerk.tsx";

/** Clerk's sign-in and sign-up. Their steps are told apart behind the `#` of the address, so each is one page of ours. */
export function clerkPages(
  publishableKey: string,
): Record<"SignIn" | "SignUp", ComponentType<ProviderPageProps>> {
  return {
    SignIn: ({ afterwards }) => (
      <WithinClerk publishableKey={publishableKey}>
        <SignIn routing="hash" forceRedirectUrl={afterwards} signUpForceRedirectUrl={afterwards} />
      </WithinClerk>
    ),
    SignUp: ({ afterwards }) => (
      <WithinClerk publishableKey={publishableKey}>
        <SignUp routing="hash" forceRedirectUrl={afterwards} signInForceRedirectUrl={afterwards} />
      </WithinClerk>
    ),
  };
}
