import { Link, useSearchParams } from "react-router-dom";

/** On to the next page, and back to the first; the pages in between are the browser's own back. */
export function Pages({ next }: { next: string | null }) {
  const [parameters] = useSearchParams();
  const onFirst = !parameters.has("after");
  if (onFirst && next === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex gap-3">
      {!onFirst && (
        <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, null) }}>
          First page
        </Link>
      )}
      {next !== null && (
        <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, next) }}>
          Next page
        </Link>
      )}
    </nav>
  );
}

function pageAt(parameters: URLSearchParams, after: string | null): string {
  const at = new URLSearchParams(parameters);
  if (after === null) at.delete("after");
  else at.set("after", after);
  return at.toString();
}
