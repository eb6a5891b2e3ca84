import { Component, type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { trackingOf } from "../../paths.ts";
import { onDemand } from "../../rendering/hydration.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { toasts } from "../../ui/toasts/toasts.ts";
import { LoadingDetails, NotLoaded } from "./changes/change-frame.tsx";
import {
  isSameNumber,
  type Lookup,
  loadSearch,
  orderIn,
  trackedOrder,
  type Unanswered,
  useLookup,
} from "./use-lookup.ts";

const forms = {
  application: {
    title: "Change your application",
    ...onDemand(() => import("./changes/change-application.tsx")),
  },
  contact: {
    title: "Correct your contact details",
    ...onDemand(() => import("./changes/correct-contact.tsx")),
  },
};

/** /lookup: one field, and the order it finds; with `change` in the URL, the form that changes its application. */
export default function LookupPage() {
  const lookup = useLookup();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const [changed, setChanged] = useState<keyof typeof thanks | null>(null);
  const { result, refresh } = lookup;
  const change = parameters.get("change");
  if ((change === "application" || change === "contact") && result.state === "found") {
    const { order } = result;
    const { title, Page: Form } = forms[change];
    const { orderNumber } = order;
    const back = (): void => {
      setChanged(change);
      void navigate(trackingOf(orderNumber));
      void refresh();
    };
    return (
      <div className="page-width py-12">
        <div className="max-w-form">
          <LoadBoundary
            otherwise={
              <NotLoaded title={title} orderNumber={orderNumber} onAgain={() => location.reload()} />
            }
          >
            <Suspense fallback={<LoadingDetails />}>
              <Form order={order} onChanged={back} />
            </Suspense>
          </LoadBoundary>
        </div>
      </div>
    );
  }
  return <Tracking lookup={lookup} changed={changed} />;
}

/** Shown until the GRO asks about these answers again. */
const thanks = {
  application: "Thank you. We’ll send what you entered to the General Register Office.",
  contact: "Thank you. We have corrected your contact details.",
} as const;

function Tracking({ lookup, changed }: { lookup: Lookup; changed: keyof typeof thanks | null }) {
  const { result, search, linked, live } = lookup;
  const order = orderIn(result);
  return (
    <div className="page-width py-12">
      <div className="no-print">
        <PageHeading title="Look Up Your Order">Look Up Your Order</PageHeading>
        <LookupForm
          key={linked}
          searching={result.state === "searching"}
          unknown={result.state === "not found" ? result.orderNumber : null}
          initial={linked ?? ""}
          onSearch={search}
        />
        <FindByEmail />
      </div>
      {result.state === "unanswered" && <NotAnswered result={result} linked={linked} onSearch={search} />}
      {order && changed && !(changed === "application" && order.question) && (
        <p role="status" className="no-print mt-8 max-w-form border-l-4 border-fulfilled bg-surface p-4">
          {thanks[changed]}
        </p>
      )}
      {order && (
        <trackedOrder.Page
          key={order.orderNumber}
          order={order}
          live={live}
          onChanged={() => void search(order.orderNumber)}
        />
      )}
    </div>
  );
}

interface NotAnsweredProps {
  result: Unanswered;
  linked: string | null;
  onSearch: (orderNumber: string) => Promise<void>;
}

function NotAnswered({ result: { orderNumber, cause, order }, linked, onSearch }: NotAnsweredProps) {
  const again = (): void => {
    if (cause !== "script") void onSearch(orderNumber);
    else if (linked === orderNumber) location.reload();
    else location.assign(trackingOf(orderNumber));
  };
  return (
    <div role="alert" className="mt-8 max-w-form rounded-4 border border-l-4 border-danger bg-surface p-5">
      <p className="font-[600]">
        {order ? "We could not refresh your order" : "We could not search for your order"}
      </p>
      <p className="mt-1">
        {cause === "too many"
          ? "There were too many searches from your connection. Please wait a minute and try again."
          : "Something went wrong on our end, or the connection was lost."}{" "}
        {order ? "What you see here may be out of date." : "Your order is not affected."}
      </p>
      <button type="button" className="button button-outlined mt-4" onClick={again}>
        Try Again
      </button>
    </div>
  );
}

interface LookupFormProps {
  searching: boolean;
  /** The number that was searched for and belongs to no order. */
  unknown: string | null;
  initial: string;
  onSearch: (orderNumber: string) => Promise<void>;
}

const noSuchOrder = "No order has this number. Please compare it with your confirmation.";

/** The one field of the lookup. */
function LookupForm({ searching, unknown, initial, onSearch }: LookupFormProps) {
  const [orderNumber, setOrderNumber] = useState(initial);
  const [missing, setMissing] = useState(false);
  const isUnknown = unknown !== null && isSameNumber(unknown, orderNumber);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (searching) return;
    // With the full stop of the sentence that it was copied from.
    const typed = orderNumber.trim().replace(/[.,;]+$/, "");
    setMissing(typed === "");
    if (typed === "") {
      document.getElementById("order-number")?.focus();
      return;
    }
    // What was said of another number must not stay beside this one.
    toasts.dismissAll();
    void onSearch(typed);
  };
  const prepare = (): void => void loadSearch().catch(() => undefined);
  return (
    <form
      noValidate
      onSubmit={submit}
      onFocus={prepare}
      className="mt-6 flex max-w-form flex-wrap items-end gap-4"
    >
      <div className="min-w-0 flex-[1_1_16rem]">
        <TextField
          id="order-number"
          label="Order Number"
          hint="It’s in the confirmation we sent you. Capitals, spaces and dashes don’t matter."
          error={missing ? "Order number is required" : isUnknown ? noSuchOrder : undefined}
          figures
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          value={orderNumber}
          onChange={(event) => setOrderNumber(event.target.value)}
        />
      </div>
      <button type="submit" className="button button-primary" aria-disabled={searching || undefined}>
        {searching ? "Searching..." : "Find Order"}
      </button>
    </form>
  );
}

const emailForm = onDemand(() => import("./email-form.tsx"));

/** For customers without their order number. What is found goes to the address by mail; the page never says. */
function FindByEmail() {
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
        <LoadBoundary otherwise={<FormNotLoaded />}>
          <Suspense fallback={<LoadingForm />}>
            <emailForm.Page onAsked={() => setAsked(true)} />
          </Suspense>
        </LoadBoundary>
      )}
    </details>
  );
}

function LoadingForm() {
  return (
    <p role="status" className="pb-5 pl-6 text-muted">
      Loading the form…
    </p>
  );
}

function FormNotLoaded() {
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
        such email every ten minutes at most, and less often the more you ask: look for an earlier one too. If
        nothing arrives, check your spam folder, or try another address.
      </p>
      <button type="button" className="link mt-2 min-h-6 cursor-pointer" onClick={onAgain}>
        Use another address
      </button>
    </div>
  );
}

interface LoadBoundaryProps {
  /**
   * Shown where the script of a part could not be loaded. Browsers keep the failure, so it offers to reload the page.
   */
  otherwise: ReactNode;
  children: ReactNode;
}

/** Keeps the page when a part of it fails to load. */
class LoadBoundary extends Component<LoadBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return <>{this.state.broken ? this.props.otherwise : this.props.children}</>;
  }
}
