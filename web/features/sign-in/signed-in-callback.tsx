import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { sameOriginPath } from "../../identity/same-origin-path.ts";
import { markSignedIn } from "../../identity/sign-in-marker.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

/** /clerk-callback: sets the marker and goes on. */
export function SignedInCallback() {
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
