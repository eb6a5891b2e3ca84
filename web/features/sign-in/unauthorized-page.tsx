import { Link, useNavigate } from "react-router-dom";
import { forgetSignIn } from "../../identity/sign-in-marker.ts";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { withRedirect } from "./redirects.ts";

/** /unauthorized. The button forgets user id and marker together: a marker left behind would lead /sign-in straight back here. */
export function UnauthorizedPage() {
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
