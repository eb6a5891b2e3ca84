import { Navigate, useSearchParams } from "react-router-dom";
import { useIdentity } from "../../identity/identity.ts";
import { sameOriginPath } from "../../identity/same-origin-path.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Finding } from "./finding.tsx";
import { ProviderPage } from "./provider-page.tsx";
import { callbackOf } from "./redirects.ts";

/** /admin-login, whatever follows, and /accessadmin: people who are signed in and work here go straight in. */
export function AdminLoginPage() {
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
