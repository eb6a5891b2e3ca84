import { Copy } from "lucide-react";
import { type BadgeColour, badgeOf } from "../../domain/order/status.ts";
import { toasts } from "./toasts/toasts.ts";

interface OrderNumberProps {
  orderNumber: string;
  /** One of several: smaller, and its button says whose it is. */
  isSmall?: boolean;
}

/** An order number, large and in its groups, with the button that copies it. */
export function OrderNumber({ orderNumber, isSmall = false }: OrderNumberProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <span className={`figures text-22 tracking-tight ${isSmall ? "" : "min-[22.5rem]:text-28 sm:text-40"}`}>
        {orderNumber}
      </span>
      <button
        type="button"
        className="button button-small button-outlined no-print"
        onClick={() => void copyOrderNumber(orderNumber)}
      >
        <Copy aria-hidden="true" className="size-4" strokeWidth={1.75} />
        Copy<span className="sr-only"> order number{isSmall && ` ${orderNumber}`}</span>
      </button>
    </div>
  );
}

async function copyOrderNumber(orderNumber: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(orderNumber);
    toasts.show({ title: "Copied!", description: "Order number copied to clipboard" });
  } catch {
    // Without permission, or on an insecure origin, the browser does not let us: the number can still be selected.
    toasts.show({
      title: "Not copied",
      description: "Please select the order number and copy it.",
      variant: "destructive",
    });
  }
}

/** The style of each badge colour, on the site and in the back office. */
export const badgeStyles: Readonly<Record<BadgeColour, string>> = {
  yellow: "bg-pending-ground text-pending",
  blue: "bg-processing-ground text-processing",
  green: "bg-fulfilled-ground text-fulfilled",
  red: "bg-cancelled-ground text-cancelled",
  grey: "bg-failed-ground text-failed",
};

/** A status in its colour, or in another one. `words` says it to the customer. */
export function StatusBadge({
  status,
  words,
  colour = badgeOf(status),
}: {
  status: string;
  words: string;
  colour?: BadgeColour;
}) {
  return (
    <span className={`inline-block rounded-4 px-2.5 py-1 text-14 font-[600] ${badgeStyles[colour]}`}>
      {words}
    </span>
  );
}
