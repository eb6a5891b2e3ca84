import { Suspense, useEffect, useRef, useState } from "react";
import { LoadBoundary, onDemand } from "../../app/on-demand.tsx";

const emailForm = onDemand(() => import("./email-form.tsx"));

/** For customers without their order number. What is found goes to the address by mail; the page never says. */
export function FindByEmail() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <details
      className="question needs-script mt-6 max-w-form"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer py-3">I don’t have my order number</summary>
      {open && asked && <Asked onAgain={() => setAsked(false)} />}
      {open && !asked && (
        <LoadBoundary otherwise={<NotLoaded />}>
          <Suspense fallback={<Loading />}>
            <emailForm.Page onAsked={() => setAsked(true)} />
          </Suspense>
        </LoadBoundary>
      )}
    </details>
  );
}

function Loading() {
  return (
    <p role="status" className="pb-5 pl-6 text-muted">
      Loading the form…
    </p>
  );
}

function NotLoaded() {
  return (
    <div role="alert" className="pb-5 pl-6">
      <p>The form could not be loaded. Please check your connection.</p>
      <button type="button" className="link mt-2 min-h-6 cursor-pointer" onClick={() => location.reload()}>
        Try Again
      </button>
    </div>
  );
}

/** The same words whether or not there are any orders. */
function Asked({ onAgain }: { onAgain: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: what took its place is read out.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="pb-5 pl-6">
      <p className="font-[600]">Check your email</p>
      <p className="mt-1 max-w-measure">
        If we can find orders for that address, links to them will arrive within a few minutes. We send one
        such email every ten minutes at most. If nothing arrives, check your spam folder, or try another
        address.
      </p>
      <button type="button" className="link mt-2 min-h-6 cursor-pointer" onClick={onAgain}>
        Use another address
      </button>
    </div>
  );
}
