import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

/** Shown for any unknown address. */
export default function NotFoundPage() {
  return (
    <div className="page-width py-16">
      <PageHeading title="Page Not Found">Page Not Found</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        If you typed the web address, check it is correct. If you followed a link, it may be out of date.
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        <Link className="button button-primary" to={pages.home}>
          Return to Homepage
        </Link>
        <Link className="button button-outlined" to={pages.lookup}>
          Look Up My Order
        </Link>
      </div>
    </div>
  );
}
