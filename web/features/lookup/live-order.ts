import { useEffect, useEffectEvent, useState } from "react";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";

/** Until the certificate has arrived, or counts as arrived: another tab may report it. */
export const mayChange = ({ status, despatch }: TrackedOrder): boolean =>
  status !== "Fulfilled" || (despatch !== null && despatch.missingFrom !== null);

/**
 * Refreshes an order whenever it changes, while the page is visible and `orderNumber` is not null. Changes during a
 * refresh are read together afterwards. @returns whether it is following
 */
export function useLiveOrder(orderNumber: string | null, read: () => Promise<void>): boolean {
  const [live, setLive] = useState(false);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (orderNumber === null) return;
    let reading = false;
    let again = false;
    const changed = async (): Promise<void> => {
      again = reading;
      if (reading) return;
      reading = true;
      await readNow();
      reading = false;
      if (again) await changed();
    };
    let wanted = true;
    let stop = (): void => undefined;
    // Loaded already, with the order that is shown.
    void import("./lookup-requests.ts").then(({ followOrder, notePosition }) => {
      if (!wanted) return;
      const changedAt = (position: string): void => {
        notePosition(position);
        void changed();
      };
      stop = followOrder(orderNumber, { live: setLive, changed: changedAt });
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [orderNumber]);
  return live;
}
