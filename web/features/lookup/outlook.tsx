import { arrivalBy, postWords } from "../../../domain/promise/timetable.ts";
import type { TrackedOrder } from "../../api/look-up-order.ts";
import { longDay } from "../../ui/dates.ts";

/** What is to come, in a sentence: the promise with its date while it holds, and what applies instead where it does not. */
export function Outlook({ order }: { order: TrackedOrder }) {
  const { heading, words } = outlookOf(order);
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

/** The words of each case; they are the same for everybody who knows the number. */
export function outlookOf({ status, cancellationRequested, promise }: TrackedOrder): Words {
  if (status === "Cancelled" || status === "Failed") return ended[status];
  if (status === "Fulfilled") return fulfilled;
  if (cancellationRequested) return cancelling;
  if (promise) return promised(promise);
  return status === "Pending" ? unpaid : paid;
}

const ended = {
  Cancelled: {
    heading: "This order was cancelled",
    words:
      "Nothing more is done with it. Whatever was paid for it is refunded in full, to the card it was paid with.",
  },
  Failed: {
    heading: "This order could not be completed",
    words:
      "The history below says why. What is due back goes to the card it was paid with, and we write to you about it.",
  },
} as const;

const fulfilled: Words = {
  heading: "Your certificate is on its way",
  words: `The post usually takes ${postWords}.`,
};

const cancelling: Words = {
  heading: "We were asked to cancel this order",
  words:
    "The application was already on its way to the General Register Office, and we are finding out whether it arrived. If it did not, the order is cancelled and everything paid is refunded in full. If it did, it is too late to cancel, and we write to you. Nothing more is sent until we know.",
};

const unpaid: Words = {
  heading: "Waiting for the payment",
  words:
    "Nothing is sent before it has arrived. An order that is never paid is cancelled by itself, and its details are destroyed.",
};

const paid: Words = {
  heading: "The payment has arrived",
  words: "We confirm the order next. The day by which to expect the despatch stands here as soon as we have.",
};

function promised({ despatchBy, receivedOn }: NonNullable<TrackedOrder["promise"]>): Words {
  const heading = `Expected despatch by ${longDay(despatchBy)}`;
  const arrival = `Likely to arrive by ${longDay(arrivalBy(despatchBy))}.`;
  if (!receivedOn) return { heading, words: arrival };
  return {
    heading,
    words: `${arrival} Counted from ${longDay(receivedOn)}, the working day that is the General Register Office’s first with your application.`,
  };
}
