import { ClerkProvider } from "@clerk/react";
import type { ReactNode } from "react";
import { pages } from "../../paths.ts";
import { appearance } from "./appearance.ts";
import { styleNonce } from "./style-nonce.ts";

interface WithinClerkProps {
  readonly publishableKey: string;
  readonly children: ReactNode;
}

/** Where Clerk's components work. Its scripts come from the host that the publishable key names, once for all that stands in one. */
export function WithinClerk({ publishableKey, children }: WithinClerkProps) {
  const nonce = styleNonce();
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      appearance={appearance}
      signInUrl={pages.signIn}
      signUpUrl={pages.signUp}
      telemetry={false}
      {...(nonce === undefined ? {} : { nonce })}
    >
      {children}
    </ClerkProvider>
  );
}
