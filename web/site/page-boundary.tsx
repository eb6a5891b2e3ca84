import { Component, type ReactNode } from "react";
import { PageHeading } from "../ui/page-heading.tsx";
import { ServerFault } from "./server-fault.tsx";

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
