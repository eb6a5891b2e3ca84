import { PageHeading } from "../ui/page-heading.tsx";

/** When a page could not be loaded because the connection was lost: it is nobody's fault, and nothing is. */
export function NoConnection() {
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
