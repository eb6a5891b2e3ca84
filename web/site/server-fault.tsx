import { pages } from "../paths.ts";
import { PageHeading } from "../ui/page-heading.tsx";

/** 'Server Error', its sentence, and the two ways on. */
export function ServerFault() {
  return (
    <div className="page-width py-16">
      <PageHeading title="Server Error">Server Error</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        Something went wrong on our end. We're working to fix the issue. Please try again later.
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        <a className="button button-primary" href={pages.home}>
          Return to Homepage
        </a>
        <button type="button" className="button button-outlined" onClick={() => location.reload()}>
          Refresh Page
        </button>
      </div>
    </div>
  );
}
