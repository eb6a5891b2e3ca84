import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { beginAnother } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";
import { CheckboxField } from "../../ui/fields/choice-fields.tsx";
import { FieldNotes } from "../../ui/fields/field.tsx";
import { lookUpTogether } from "./lookup-requests.ts";

type Beginning =
  | { readonly state: "idle" | "starting" | "failed" }
  /** Several were ordered together. */
  | { readonly state: "choosing"; readonly orders: readonly TrackedOrder[] }
  /** It would replace an unfinished order in this tab. */
  | { readonly state: "asking"; readonly start: () => void };

/** An order of this browser's own that was paid for. */
const mayRepeat = ({ id, statusHistory }: TrackedOrder): boolean =>
  id !== null && statusHistory.some(({ status }) => status === "Processing");

const idsOf = (orders: readonly TrackedOrder[]): string[] => orders.flatMap(({ id }) => id ?? []);

/**
 * For its holder: another order with the same contact and choices, for which only the person is asked. Of several that
 * were ordered together, asks which.
 */
export function OrderAnother({ order }: { order: TrackedOrder }) {
  const navigate = useNavigate();
  const [beginning, setBeginning] = useState<Beginning>({ state: "idle" });
  if (!mayRepeat(order)) return null;
  /** Fails in words. A second press while it goes on changes nothing. */
  async function starting(go: () => Promise<void>): Promise<void> {
    if (beginning.state === "starting") return;
    setBeginning({ state: "starting" });
    await go().catch(() => setBeginning({ state: "failed" }));
  }
  async function choose(): Promise<void> {
    const orders = (await lookUpTogether(order)).filter(mayRepeat);
    if (orders.length > 1) setBeginning({ state: "choosing", orders });
    else await begin(idsOf([order]));
  }
  async function begin(orderIds: readonly string[]): Promise<void> {
    // All scripts at once: after the question, nothing is left that could fail to load.
    const [others, { draftLike }, { losesUnfinished }, { startNewOrder }] = await Promise.all([
      Promise.all(orderIds.map((id) => send(beginAnother, { params: { id } }))),
      import("../../ordering/draft/order-answers.ts"),
      import("../../ordering/draft/saved-draft.ts"),
      import("../../ordering/current-order.ts"),
    ]);
    const draft = draftLike(others);
    const start = (): void => {
      startNewOrder(draft);
      void navigate(pages.order);
    };
    if (losesUnfinished(draft)) setBeginning({ state: "asking", start });
    else start();
  }
  return (
    <div className="no-print mt-8">
      <button
        type="button"
        className="button button-outlined"
        aria-disabled={beginning.state === "starting" || undefined}
        onClick={() => void starting(choose)}
      >
        Order Another Like This
      </button>
      <p className="mt-2 max-w-measure text-14 text-muted">
        We’ll use your details and the same choices, and ask only about the person on the certificate.
      </p>
      {beginning.state === "choosing" && (
        <ChooseWhich
          orders={beginning.orders}
          shown={order.orderNumber}
          onChosen={(chosen) => void starting(() => begin(idsOf(chosen)))}
        />
      )}
      {beginning.state === "asking" && (
        <AskFirst onStart={beginning.start} onKeep={() => navigate(pages.order)} />
      )}
      {beginning.state === "failed" && (
        <p role="alert" className="mt-2 max-w-measure text-danger">
          We could not start another order. Check your connection, and try again.
        </p>
      )}
    </div>
  );
}

interface ChooseWhichProps {
  orders: readonly TrackedOrder[];
  /** The number of the order that is shown: ticked to begin with. */
  shown: string;
  onChosen: (orders: readonly TrackedOrder[]) => void;
}

function ChooseWhich({ orders, shown, onChosen }: ChooseWhichProps) {
  const question = useRef<HTMLFieldSetElement>(null);
  useEffect(() => question.current?.focus(), []);
  const [ticked, setTicked] = useState<readonly string[]>([shown]);
  const [missing, setMissing] = useState(false);
  const tick = (orderNumber: string, isOn: boolean): void => {
    setMissing(false);
    setTicked(isOn ? [...ticked, orderNumber] : ticked.filter((other) => other !== orderNumber));
  };
  const choose = (event: FormEvent): void => {
    event.preventDefault();
    const chosen = orders.filter(({ orderNumber }) => ticked.includes(orderNumber));
    setMissing(chosen.length === 0);
    if (chosen.length > 0) onChosen(chosen);
    else question.current?.focus();
  };
  return (
    <form noValidate onSubmit={choose} className="mt-4 max-w-form">
      <fieldset
        ref={question}
        tabIndex={-1}
        aria-describedby={missing ? "another-error" : undefined}
        className={`min-w-0 ${missing ? "border-l-4 border-danger pl-4" : ""}`}
      >
        <legend className="font-[600]">Which of these would you like to order again?</legend>
        <FieldNotes id="another" error={missing ? "Tick at least one" : undefined} />
        {orders.map(({ orderNumber, items }) => (
          <CheckboxField
            key={orderNumber}
            id={`another-${orderNumber}`}
            checked={ticked.includes(orderNumber)}
            onChange={(isOn) => tick(orderNumber, isOn)}
          >
            {items.join(", ")}{" "}
            <span className="text-muted">
              (<span className="figures whitespace-nowrap">{orderNumber}</span>
              {orderNumber === shown && ", this order"})
            </span>
          </CheckboxField>
        ))}
      </fieldset>
      <button type="submit" className="button button-primary mt-3">
        Continue
      </button>
    </form>
  );
}

function AskFirst({ onStart, onKeep }: { onStart: () => void; onKeep: () => void }) {
  const question = useRef<HTMLHeadingElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <section className="mt-4 max-w-measure" aria-labelledby="unfinished-order">
      <h2 id="unfinished-order" ref={question} tabIndex={-1} className="font-serif text-20">
        You have an unfinished order in this tab
      </h2>
      <p className="mt-2">If you start another order here, you will lose what you entered.</p>
      <div className="mt-4 flex flex-wrap gap-4">
        <button type="button" className="button button-outlined" onClick={onStart}>
          Start Another Order
        </button>
        <button type="button" className="button button-primary" onClick={onKeep}>
          Continue the Unfinished Order
        </button>
      </div>
    </section>
  );
}
