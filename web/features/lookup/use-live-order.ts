import { useEffect, useEffectEvent, useState } from "react";
import { notePosition } from "../../api/request.ts";
import { followOrder } from "./order-updates.ts";

/**
 * Reads an order again whenever it changes, while the page is looked at; not at all while `orderNumber` is null.
 * Answers whether it is doing so. Changes that come while one is read are read together afterwards.
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
    return followOrder(orderNumber, {
      live: setLive,
      changed: (position) => {
        notePosition(position);
        void changed();
      },
    });
  }, [orderNumber]);
  return live;
}
