import { Link } from "react-router-dom";
import { reportArrival } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";
import { useRetentionWords } from "../../site/config.ts";
import { longDay, todayInLondon } from "../../ui/dates.ts";
import { useSending } from "./changes/use-sending.ts";

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
          It should have come by now. If it has not, {writeToUs}: we can ask the General Register Office to
          send another.
        </>
      ) : (
        <>
          If it has not come by <strong className="font-[600]">{longDay(missingFrom)}</strong>, {writeToUs}.
          From then on, we can ask the General Register Office to send another.
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
        Tell us, and we’ll close the order today. Otherwise we close it on {longDay(closesOn)}. After that, we
        keep your contact details for {kept} and then delete them.
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
