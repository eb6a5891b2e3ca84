import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { beginAnother } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";

type Beginning =
  | { readonly state: "idle" | "starting" | "failed" }
  /** It would replace an unfinished order in this tab. */
  | { readonly state: "asking"; readonly start: () => void };

/** For its holder: another order with the same contact and choices, for which only the person is asked. */
export function OrderAnother({ order: { id, statusHistory } }: { order: TrackedOrder }) {
  const navigate = useNavigate();
  const [beginning, setBeginning] = useState<Beginning>({ state: "idle" });
  if (id === null || !statusHistory.some(({ status }) => status === "Processing")) return null;
  async function begin(orderId: string): Promise<void> {
    if (beginning.state === "starting") return;
    setBeginning({ state: "starting" });
    try {
      // All scripts at once: after the question, nothing is left that could fail to load.
      const [other, { draftLike }, { losesUnfinished }, { startNewOrder }] = await Promise.all([
        send(beginAnother, { params: { id: orderId } }),
        import("./another-draft.ts"),
        import("../../ordering/draft/saved-draft.ts"),
        import("../../ordering/current-order.ts"),
      ]);
      const draft = draftLike(other);
      const start = (): void => {
        startNewOrder(draft);
        navigate(pages.order);
      };
      if (losesUnfinished(draft)) setBeginning({ state: "asking", start });
      else start();
    } catch {
      setBeginning({ state: "failed" });
    }
  }
  return (
    <div className="no-print mt-8">
      <button
        type="button"
        className="button button-outlined"
        aria-disabled={beginning.state === "starting" || undefined}
        onClick={() => void begin(id)}
      >
        Order Another Like This
      </button>
      <p className="mt-2 max-w-measure text-14 text-muted">
        We’ll use your details and the same choices, and ask only about the person on the certificate.
      </p>
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
