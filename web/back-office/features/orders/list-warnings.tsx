import { Link, useSearchParams } from "react-router-dom";
import type { Answered } from "../../../../contract/request.ts";
import type { listOrders } from "../../../../contract/staff-orders/list.ts";
import { ApiError } from "../../../api/problem.ts";
import { pageAt } from "./list-query.ts";

interface ListWarningsProps {
  /** Why reloading failed; undefined if it did not. */
  readonly error: unknown;
  /** True when the server says that it is behind. */
  readonly stale: boolean;
  readonly onRetry: () => void;
}

export function ListWarnings({ error, stale, onRetry }: ListWarningsProps) {
  if (error !== undefined) {
    return (
      <div role="alert" className="mb-4 flex flex-wrap items-center gap-3 border-l-3 border-danger pl-3">
        <p>{wordsOf(error)}</p>
        <button type="button" className="button button-dense button-outlined" onClick={onRetry}>
          Try again
        </button>
      </div>
    );
  }
  if (!stale) return null;
  return (
    <p role="status" className="mb-4 border-l-3 border-pending pl-3 text-13">
      The list is slightly out of date and will catch up automatically.
    </p>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 422)
    return `This list cannot be shown: ${error.fields.map(({ message }) => message).join("; ")}. The previous list is shown.`;
  return "The list could not be updated and may be out of date.";
}

/** Cursor paging: new orders do not shift the pages. */
export function ListPages({ next, previous }: Pick<Answered<typeof listOrders>, "next" | "previous">) {
  const [parameters] = useSearchParams();
  if (next === null && previous === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
      {previous !== null && (
        <>
          <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, null) }}>
            First page
          </Link>
          <Link
            className="button button-dense button-outlined"
            to={{ search: pageAt(parameters, { before: previous }) }}
          >
            Previous page
          </Link>
        </>
      )}
      {next !== null && (
        <Link
          className="button button-dense button-outlined"
          to={{ search: pageAt(parameters, { after: next }) }}
        >
          Next page
        </Link>
      )}
    </nav>
  );
}
