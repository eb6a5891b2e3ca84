import { type ComponentType, useEffect, useState } from "react";
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import type { Identity, IdentityPort } from "../../identity/identity-port.ts";
import {
  forgetSignIn,
  identityStore,
  isMarkedSignedIn,
  markSignedIn,
  useIdentity,
} from "../../identity/page-identity.ts";
import { pages, sameOriginPath } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

const screens: Readonly<Record<string, ComponentType>> = {
  [pages.signIn]: SignInPage,
  [pages.signUp]: SignUpPage,
  [pages.unauthorized]: UnauthorizedPage,
  [pages.signedIn]: SignedInCallback,
  [pages.dashboard]: DashboardForward,
};

/** The sign-in pages. Any other address in this area is the admin login. */
export default function SignInArea() {
  const { pathname } = useLocation();
  const Screen = screens[pathname.replace(/\/+$/, "")] ?? AdminLoginPage;
  return <Screen />;
}

/** /dashboard: sends staff to their dashboard, everyone else home. */
function DashboardForward() {
  const identity = useIdentity();
  if (identity.state === "loading") return <Finding identity={identity} />;
  return <Navigate replace to={identity.role === null ? pages.home : `${pages.accessAdmin}/dashboard`} />;
}

/** /clerk-callback: sets the marker and goes on. */
function SignedInCallback() {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const redirect = sameOriginPath(parameters.get("redirect"), pages.home);
  useEffect(() => {
    markSignedIn();
    void navigate(redirect, { replace: true });
  }, [navigate, redirect]);
  return (
    <div className="page-width py-16 text-center" role="status">
      <PageHeading title="Processing Authentication">Processing Authentication</PageHeading>
      <span className="spinner mt-6 text-28" aria-hidden="true" />
    </div>
  );
}

/**
 * /unauthorized. The button clears user id and marker together: with the marker left, /sign-in would lead straight back
 * here.
 */
function UnauthorizedPage() {
  const navigate = useNavigate();
  const signInAgain = (): void => {
    forgetSignIn();
    void navigate(withRedirect(pages.signIn, pages.accessAdmin));
  };
  return (
    <div className="page-width py-16">
      <PageHeading title="Access Denied">Access Denied</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        You don't have permission to access the admin area. Only authorized administrators can access this
        section.
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        <Link className="button button-primary" to={pages.home}>
          Return to Homepage
        </Link>
        <button type="button" className="button button-outlined" onClick={signInAgain}>
          Sign in as someone else
        </button>
      </div>
    </div>
  );
}

/** /sign-in. A returning user with a destination goes straight there, where the server decides. */
function SignInPage() {
  const [parameters] = useSearchParams();
  const asked = parameters.get("redirect");
  const redirect = sameOriginPath(asked, pages.dashboard);
  if (asked !== null && isMarkedSignedIn()) return <Navigate replace to={redirect} />;
  return (
    <div className="page-width max-w-form py-12 sm:py-16">
      <PageHeading title="Sign in">Sign in</PageHeading>
      <p className="mt-3 text-muted">
        This sign-in is for staff. You don’t need an account to order a certificate.{" "}
        <Link className="link" to={pages.lookup}>
          Look up an order
        </Link>{" "}
        with its number instead.
      </p>
      <div className="mt-8">
        <ProviderPage page="SignIn" afterwards={callbackOf(redirect)} />
      </div>
      <p className="mt-8 text-muted">
        No account yet?{" "}
        <Link className="link" to={withRedirect(pages.signUp, asked === null ? null : redirect)}>
          Sign up
        </Link>
      </p>
    </div>
  );
}

/** /admin-login with any suffix, and /accessadmin: signed-in staff go straight in. */
function AdminLoginPage() {
  const identity = useIdentity();
  const [parameters] = useSearchParams();
  const redirect = sameOriginPath(parameters.get("redirect"), `${pages.accessAdmin}/dashboard`);
  if (identity.state === "loading") return <Finding identity={identity} />;
  if (identity.state === "signedIn") {
    return <Navigate replace to={identity.role === null ? pages.unauthorized : redirect} />;
  }
  return (
    <div className="page-width max-w-form py-12 sm:py-16">
      <PageHeading title="Admin login">Admin login</PageHeading>
      <p className="mt-3 text-muted">
        The back office is for staff only. The server decides what each role can see and do.
      </p>
      <div className="mt-8">
        <ProviderPage page="SignIn" afterwards={callbackOf(redirect)} />
      </div>
    </div>
  );
}

function SignUpPage() {
  const [parameters] = useSearchParams();
  const asked = parameters.get("redirect");
  const redirect = sameOriginPath(asked, pages.dashboard);
  return (
    <div className="page-width max-w-form py-12 sm:py-16">
      <PageHeading title="Sign up">Sign up</PageHeading>
      <div className="mt-8">
        <ProviderPage page="SignUp" afterwards={callbackOf(redirect)} />
      </div>
      <p className="mt-8 text-muted">
        Already have an account?{" "}
        <Link className="link" to={withRedirect(pages.signIn, asked === null ? null : redirect)}>
          Sign in
        </Link>
      </p>
    </div>
  );
}

/** Adds the destination, if any, to an address. */
const withRedirect = (path: string, redirect: string | null): string =>
  redirect === null ? path : `${path}?${new URLSearchParams({ redirect })}`;

/** The provider's return address, which continues to `redirect`. */
const callbackOf = (redirect: string): string => withRedirect(pages.signedIn, redirect);

interface ProviderPageParameters {
  readonly page: "SignIn" | "SignUp";
  /** Destination after signing in. */
  readonly afterwards: string;
}

/** The identity provider's page, once loaded. Its height is reserved to avoid layout shifts. */
function ProviderPage(parameters: ProviderPageParameters) {
  return (
    <div className="min-h-[31rem]">
      <LoadedPage {...parameters} />
    </div>
  );
}

function LoadedPage({ page, afterwards }: ProviderPageParameters) {
  const [provider, setProvider] = useState<IdentityPort | "failed">();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads anew.
  useEffect(() => {
    setProvider(undefined);
    identityStore.provider().then(setProvider, () => setProvider("failed"));
  }, [attempt]);
  if (provider === undefined) {
    return (
      <div role="status">
        <span className="spinner text-22" aria-hidden="true" />
        <span className="sr-only">Loading the sign-in</span>
      </div>
    );
  }
  if (provider === "failed") {
    return (
      <div role="alert">
        <p>The sign-in could not be loaded.</p>
        <button type="button" className="button button-outlined mt-4" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </button>
      </div>
    );
  }
  const Page = provider[page];
  return <Page afterwards={afterwards} />;
}

/** Shown while the signed-in user is being determined, or with a retry if that failed. */
function Finding({ identity }: { identity: Identity }) {
  if (!identity.unreachable) {
    return (
      <div className="page-width py-24 text-center" role="status">
        <span className="spinner text-28" aria-hidden="true" />
        <span className="sr-only">Checking your sign-in</span>
      </div>
    );
  }
  return (
    <div className="page-width max-w-form py-16" role="alert">
      <p className="text-18">We could not check your sign-in: the server did not answer.</p>
      <button type="button" className="button button-primary mt-6" onClick={identity.retry}>
        Try again
      </button>
    </div>
  );
}
