import { Component, type ReactNode } from "react";
import { pages } from "../paths.ts";
import { PageHeading } from "../ui/page-heading.tsx";

/** Replaces a page that crashed or failed to load with an explanation; header and footer stay. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return navigator.onLine ? <ServerFault /> : <NoConnection />;
  }
}

/** For a page that failed to load because the connection was lost. */
function NoConnection() {
  return (
    <div className="page-width py-16">
      <PageHeading title="No connection">No connection</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        This page could not be loaded because your connection was lost. If you have started an order, it is
        kept in this tab.
      </p>
      <button type="button" className="button button-primary mt-8" onClick={() => location.reload()}>
        Refresh Page
      </button>
    </div>
  );
}

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
