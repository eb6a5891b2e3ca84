import { type ComponentType, useEffect } from "react";
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { useIdentity } from "../../identity/identity-store.ts";
import { sameOriginPath } from "../../identity/same-origin-path.ts";
import { forgetSignIn, markSignedIn } from "../../identity/sign-in-marker.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { AdminLoginPage, Finding, SignInPage, SignUpPage, withRedirect } from "./sign-in-page.tsx";

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
