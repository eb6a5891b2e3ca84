import { Link } from "react-router-dom";
import { reportArrival } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { arrivalBy, postWords } from "../../../domain/promise/timetable.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";
import { useRetentionWords } from "../../site/config.ts";
import { longDay, todayInLondon } from "../../ui/dates.ts";
import { useSending } from "./lookup-requests.ts";

/** What happens next, in a sentence: the promise with its date while it applies, or what applies instead. */
export function Outlook({ order }: { order: TrackedOrder }) {
  const { heading, words } = outlookOf(order, todayInLondon());
  return (
    <>
      <h3 className="text-28">{heading}</h3>
      {words && <p className="mt-2 max-w-measure text-muted">{words}</p>}
    </>
  );
}

interface Words {
  heading: string;
  words?: string;
}

/** The sentence for each case, the same for every reader. `today` is the day in London. */
function outlookOf(order: TrackedOrder, today: string): Words {
  const { status, cancellationRequested, promise, despatch } = order;
  if (status === "Cancelled" || status === "Failed") return ended[status];
  if (despatch) return despatched(despatch, today);
  if (status === "Fulfilled") return fulfilled;
  if (cancellationRequested) return cancelling;
  if (order.question) return unanswered;
  if (order.unreachedBy === "confirmation") return unconfirmed;
  if (promise) return promised(promise);
  return status === "Pending" ? unpaid : paid;
}

const ended = {
  Cancelled: {
    heading: "This order was cancelled",
    words:
      "We’ll take no further action on it. Anything you paid for it goes back in full to the card you used.",
  },
  Failed: {
    heading: "This order could not be completed",
    words: "Our email says why. If a refund is due, we’ll email you when we make it.",
  },
} as const;

const fulfilled: Words = {
  heading: "Your certificate is on its way",
  words: `The post usually takes ${postWords}.`,
};

function despatched(
  { despatchedOn, arrivalBy, missingFrom, arrivedOn }: NonNullable<TrackedOrder["despatch"]>,
  today: string,
): Words {
  if (arrivedOn) {
    return {
      heading: "Your certificate has arrived",
      words: `You told us on ${longDay(arrivedOn)}. Thank you: this order is now closed.`,
    };
  }
  const post = `Despatched on ${longDay(despatchedOn)}. The post usually takes ${postWords}`;
  return missingFrom === null || today > arrivalBy
    ? { heading: "Your certificate was despatched", words: `${post}.` }
    : {
        heading: "Your certificate is on its way",
        words: `${post}, so it is likely to arrive by ${longDay(arrivalBy)}.`,
      };
}

const cancelling: Words = {
  heading: "We have been asked to cancel this order",
  words:
    "The application was already on its way to the General Register Office, and we are checking whether it arrived. If it did not, we’ll cancel the order and refund everything paid for it. If it did, it is too late to cancel, and we’ll email you. We’ll send nothing more until we know.",
};

const unanswered: Words = {
  heading: "Waiting for your answer",
  words: "The General Register Office goes on with your application once it has your answer.",
};

const unconfirmed: Words = {
  heading: "Waiting for your email address",
  words: "We send your application to the General Register Office once our confirmation has reached you.",
};

const unpaid: Words = {
  heading: "Waiting for payment",
  words:
    "We send nothing until we have received it. If you have closed the page where you were paying, please order again: unpaid orders are cancelled automatically, and their details are deleted.",
};

const paid: Words = {
  heading: "We have received the payment",
  words: "Next, we confirm the order. The expected despatch date will then appear here.",
};

function promised({ despatchBy, receivedOn }: NonNullable<TrackedOrder["promise"]>): Words {
  const heading = `Expected despatch by ${longDay(despatchBy)}`;
  const arrival = `Likely to arrive by ${longDay(arrivalBy(despatchBy))}.`;
  if (!receivedOn) return { heading, words: arrival };
  return {
    heading,
    words: `${arrival} Counted from ${longDay(receivedOn)}, your application’s first working day at the General Register Office.`,
  };
}

/**
 * After despatch, until the arrival is reported: its holder can report it, and every reader learns what to do if not.
 */
export function Arrival({ order, onReported }: { order: TrackedOrder; onReported: () => void }) {
  const { id, despatch, canReportArrival } = order;
  if (!despatch?.missingFrom) return null;
  const mayReport = id !== null && canReportArrival;
  return (
    <section
      aria-labelledby="arrival"
      className="no-print mt-8 max-w-form rounded-4 border border-hairline bg-surface p-5 sm:p-6"
    >
      <h3 id="arrival" className="text-22">
        {mayReport ? "Has it arrived?" : "If it has not arrived"}
      </h3>
      {mayReport && <ItArrived orderId={id} closesOn={despatch.closesOn} onReported={onReported} />}
      <NotArrived missingFrom={despatch.missingFrom} />
    </section>
  );
}

function NotArrived({ missingFrom }: { missingFrom: string }) {
  const writeToUs = (
    <Link className="link" to={pages.support}>
      write to us
    </Link>
  );
  return (
    <p className="mt-4 max-w-measure">
      {missingFrom <= todayInLondon() ? (
        <>
          It should have arrived by now. If it has not, {writeToUs}: we can ask the General Register Office to
          send another.
        </>
      ) : (
        <>
          If it has not arrived by <strong className="font-[600]">{longDay(missingFrom)}</strong>, {writeToUs}
          . From then on, we can ask the General Register Office to send another.
        </>
      )}
    </p>
  );
}

interface ItArrivedProps {
  orderId: string;
  closesOn: string;
  onReported: () => void;
}

function ItArrived({ orderId, closesOn, onReported }: ItArrivedProps) {
  const kept = useRetentionWords();
  const report = useSending(
    (id: string, idempotencyKey) => send(reportArrival, { params: { id } }, { idempotencyKey }),
    onReported,
  );
  return (
    <>
      <p className="mt-2 max-w-measure">
        Tell us, and we’ll close the order today. Otherwise, we’ll close it on {longDay(closesOn)}. After
        that, we keep your contact details for {kept} and then delete them.
      </p>
      {report.problems.length > 0 && (
        <p role="alert" className="mt-3 text-danger">
          {report.problems.join(" ")}
        </p>
      )}
      <button
        type="button"
        className="button button-primary mt-4"
        aria-disabled={report.sending || undefined}
        onClick={() => void report.send(orderId)}
      >
        {report.sending ? "Sending..." : "It Arrived"}
      </button>
    </>
  );
}
