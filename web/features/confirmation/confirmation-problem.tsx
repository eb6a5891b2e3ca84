import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

/** While the order is loaded or finished. */
export function ConfirmationWaiting({ words }: { words: string }) {
  return (
    <div className="page-width py-16" role="status">
      <PageHeading title={words}>{words}</PageHeading>
      <p className="mt-5 flex items-center gap-3 text-muted">
        <span className="spinner" aria-hidden="true" />
        One moment, please.
      </p>
    </div>
  );
}

interface ProblemProps {
  words: string;
  /** Where it may go better another time. */
  onRetry?: () => void;
}

/** When there is no order to show, and why. */
export function ConfirmationProblem({ words, onRetry }: ProblemProps) {
  return (
    <div className="page-width py-16">
      <PageHeading title="Order confirmation">We cannot show this order</PageHeading>
      <p role="alert" className="mt-4 max-w-measure text-18">
        {words}
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        {onRetry && (
          <button type="button" className="button button-primary" onClick={onRetry}>
            Try Again
          </button>
        )}
        <Link className={`button ${onRetry ? "button-outlined" : "button-primary"}`} to={pages.home}>
          Return to Home
        </Link>
        <Link className="button button-outlined" to={pages.lookup}>
          Order Lookup
        </Link>
      </div>
    </div>
  );
}
