import { Link, useSearchParams } from "react-router-dom";
import { sameOriginPath } from "../../identity/same-origin-path.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ProviderPage } from "./provider-page.tsx";
import { callbackOf, withRedirect } from "./redirects.ts";

/** /sign-up. */
export function SignUpPage() {
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
