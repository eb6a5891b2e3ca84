import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { trackingOf } from "../../../paths.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";

export function LoadingDetails() {
  return (
    <p role="status" className="py-16 text-muted">
      Loading your details…
    </p>
  );
}

interface NoFormProps {
  /** The name of the page's tab. */
  title: string;
  orderNumber: string;
}

/** Why nothing can be changed. */
export function NotNow({ title, orderNumber, children }: NoFormProps & { children: ReactNode }) {
  return (
    <>
      <PageHeading title={title}>You can’t change this here</PageHeading>
      <p className="mt-4 max-w-measure">{children}</p>
      <Link className="button button-outlined mt-6" to={trackingOf(orderNumber)}>
        Return to order{" "}
      </Link>
    </>
  );
}

/** The details could not be loaded. */
export function NotLoaded({ title, orderNumber, onAgain }: NoFormProps & { onAgain: () => void }) {
  return (
    <>
      <PageHeading title={title}>We could not load your details</PageHeading>
      <p role="alert" className="mt-4 max-w-measure">
        Something went wrong on our end, or the connection was lost. Your order is not affected.
      </p>
      <div className="mt-6 flex flex-wrap gap-4">
        <button type="button" className="button button-primary" onClick={onAgain}>
          Try Again
        </button>
        <Link className="button button-outlined" to={trackingOf(orderNumber)}>
          Return to order{" "}
        </Link>
      </div>
    </>
  );
}

/** The server's refusal, read out each time. */
export function Refused({ problems }: { problems: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is read out.
  useEffect(() => box.current?.focus(), [problems]);
  if (problems.length === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="mt-6 rounded-4 border border-l-4 border-danger bg-surface p-5"
    >
      <p className="font-[600]">Nothing was changed</p>
      <ul className="mt-1 space-y-1">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

/** The way back from a form. */
export function BackUnchanged({ orderNumber }: { orderNumber: string }) {
  return (
    <p className="mt-5">
      <Link className="link inline-flex min-h-11 items-center" to={trackingOf(orderNumber)}>
        Cancel and return to order
      </Link>
    </p>
  );
}
