import { Link, Navigate, useSearchParams } from "react-router-dom";
import { sameOriginPath } from "../../identity/same-origin-path.ts";
import { isMarkedSignedIn } from "../../identity/sign-in-marker.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ProviderPage } from "./provider-page.tsx";
import { callbackOf, withRedirect } from "./redirects.ts";

/** /sign-in. Who was signed in here before and is on the way somewhere goes straight on; the server decides there. */
export function SignInPage() {
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
