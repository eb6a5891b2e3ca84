import { ClerkFailed, ClerkLoaded, ClerkProvider, useClerk } from "@clerk/react";
import { type ComponentType, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { pages } from "../../paths.ts";
import type { IdentityPort, ProviderPageProps } from "../identity-port.ts";
import { clerkSessions } from "./clerk-sessions.ts";
import "./clerk.css";

/** Loads the hosted identity provider. @throws Error when it cannot be loaded */
export async function loadClerk(publishableKey: string): Promise<IdentityPort> {
  const clerk = await startClerk(publishableKey);
  return { ...clerkSessions(clerk), ...clerkPages(clerk) };
}

type Mounting = Pick<LoadedClerk, "mountSignIn" | "unmountSignIn" | "mountSignUp" | "unmountSignUp">;

/**
 * Clerk's sign-in and sign-up. Their steps are in the URL's fragment, so each is a single page of ours. They are
 * mounted by Clerk directly: a second ClerkProvider on a page that is unmounted and mounted again takes a loaded Clerk
 * for one still loading.
 */
const clerkPages = (clerk: Mounting): Pick<IdentityPort, "SignIn" | "SignUp"> => ({
  SignIn: mounted(
    (node, url) =>
      clerk.mountSignIn(node, { routing: "hash", forceRedirectUrl: url, signUpForceRedirectUrl: url }),
    (node) => clerk.unmountSignIn(node),
  ),
  SignUp: mounted(
    (node, url) =>
      clerk.mountSignUp(node, { routing: "hash", forceRedirectUrl: url, signInForceRedirectUrl: url }),
    (node) => clerk.unmountSignUp(node),
  ),
});

function mounted(
  mount: (node: HTMLDivElement, afterwards: string) => void,
  unmount: (node: HTMLDivElement) => void,
): ComponentType<ProviderPageProps> {
  return function ClerkPage({ afterwards }) {
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const node = place.current;
      if (!node) return;
      mount(node, afterwards);
      return () => unmount(node);
    }, [afterwards]);
    return <div ref={place} />;
  };
}

type LoadedClerk = ReturnType<typeof useClerk>;

/**
 * Loads Clerk from the host named by the publishable key, for the lifetime of this document. Every request needs its
 * tokens, so it is mounted beside the app and not within a page.
 * @throws Error when its scripts fail to load, or its server does not answer; it can be retried
 */
function startClerk(publishableKey: string): Promise<LoadedClerk> {
  const nonce = styleNonce();
  return new Promise((resolve, reject) => {
    const root = createRoot(document.createElement("div"));
    const giveUp = (): void => {
      reject(new Error("Clerk could not be loaded."));
      // Deferred: the callback is called during rendering.
      queueMicrotask(() => root.unmount());
    };
    root.render(
      <ClerkProvider
        publishableKey={publishableKey}
        appearance={appearance}
        signInUrl={pages.signIn}
        signUpUrl={pages.signUp}
        telemetry={false}
        {...(nonce === undefined ? {} : { nonce })}
      >
        <ClerkLoaded>
          <Loaded onLoaded={resolve} />
        </ClerkLoaded>
        <ClerkFailed>
          <Failed onFailed={giveUp} />
        </ClerkFailed>
      </ClerkProvider>,
    );
  });
}

function Loaded({ onLoaded }: { onLoaded: (clerk: LoadedClerk) => void }) {
  const clerk = useClerk();
  useEffect(() => onLoaded(clerk), [clerk, onLoaded]);
  return null;
}

function Failed({ onFailed }: { onFailed: () => void }) {
  useEffect(onFailed, [onFailed]);
  return null;
}

const hidden = { display: "none" } as const;
const bare = {
  padding: "0",
  border: "none",
  boxShadow: "none",
  borderRadius: "0",
  overflow: "visible",
} as const;
/** Our pages' focus style. */
const focus = { outline: "3px solid var(--color-primary)", outlineOffset: "2px" } as const;
const control = { minHeight: "2.75rem", fontSize: "1rem", "&:focus-visible": focus } as const;

/** Clerk's pages in our colours, light or dark, without options that we do not offer. */
const appearance = {
  variables: {
    colorPrimary: "var(--color-primary)",
    colorPrimaryForeground: "var(--color-on-primary)",
    colorForeground: "var(--color-ink)",
    colorMutedForeground: "var(--color-muted)",
    colorBackground: "var(--color-paper)",
    colorInput: "var(--color-surface)",
    colorInputForeground: "var(--color-ink)",
    colorDanger: "var(--color-danger)",
    fontFamily: "inherit",
    fontSize: "1rem",
    borderRadius: "0.25rem",
  },
  elements: {
    rootBox: { width: "100%" },
    cardBox: { ...bare, width: "100%", maxWidth: "100%" },
    card: bare,
    // The page has its own heading.
    header: hidden,
    formFieldLabel: { fontSize: "1rem" },
    formFieldInput: control,
    formButtonPrimary: { ...control, backgroundImage: "none", boxShadow: "none", "&:after": hidden },
    formFieldErrorText: { fontSize: "1rem" },
    socialButtonsRoot: hidden,
    socialButtons: hidden,
    dividerRow: hidden,
    footer: hidden,
  },
} as const;

/** The nonce by which the server admits Clerk's styles to this page, if it does. */
const styleNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>("meta[property='csp-nonce']")?.nonce || undefined;
