import { Link, useSearchParams } from "react-router-dom";
import type { Answered } from "../../../../contract/request.ts";
import type { listOrders } from "../../../../contract/staff-orders/list.ts";
import { ApiError } from "../../../api/problem.ts";
import { pageAt } from "./list-query.ts";

interface ListWarningsProps {
  /** Why the list could not be read again; undefined when it could. */
  readonly error: unknown;
  /** The server itself says that it is behind. */
  readonly stale: boolean;
  readonly onRetry: () => void;
}

/** What is wrong with the list that is shown, if anything. */
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
      The list is some moments behind what happened, and catches up by itself.
    </p>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 422)
    return `This list cannot be made: ${error.fields.map(({ message }) => message).join("; ")}. The one before is shown.`;
  return "The list could not be read again: what you see is as it was before.";
}

/** Leads on and back. Pages hold on to orders and not to numbers: what arrives meanwhile shifts none of them. */
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
            Page before
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
