import { Link, useSearchParams } from "react-router-dom";
import type { listOrders } from "../../../../contract/order-desk/list.ts";
import type { Answered } from "../../../../contract/request.ts";
import { pageAt } from "./list-query.ts";

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
