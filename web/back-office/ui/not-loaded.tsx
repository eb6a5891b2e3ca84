import { ApiError } from "../../api/problem.ts";

interface NotLoadedProps {
  /** The thing, as a sentence begins: 'The order'. */
  readonly what: string;
  /** What loading it failed with. */
  readonly failure?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What stands where something could not be loaded, read out at once, with a button that tries again. */
export function NotLoaded({ what, failure, onRetry }: NotLoadedProps) {
  return (
    <div role="alert" className="px-4 py-10 text-center">
      <p className="font-[500]">{what} could not be loaded.</p>
      <p className="mt-1 text-13 text-muted">{whyOf(failure)}</p>
      {onRetry && (
        <button type="button" className="button button-dense button-outlined mt-4" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function whyOf(failure: unknown): string {
  return failure instanceof ApiError && failure.code === "record-unreadable"
    ? "Its history cannot be read, and nothing is done to it until that is put right. Compliance lists it under Parked."
    : "The connection may be lost, or the server is away.";
}
