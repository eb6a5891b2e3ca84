import { Copy } from "lucide-react";
import { toasts } from "./toasts/toasts.ts";

/** An order number, large and in its groups, with the button that copies it. */
export function OrderNumber({ orderNumber }: { orderNumber: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <span className="figures text-22 tracking-tight min-[22.5rem]:text-28 sm:text-40">{orderNumber}</span>
      <button
        type="button"
        className="button button-small button-outlined no-print"
        onClick={() => void copyOrderNumber(orderNumber)}
      >
        <Copy aria-hidden="true" className="size-4" strokeWidth={1.75} />
        Copy<span className="sr-only"> order number</span>
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
