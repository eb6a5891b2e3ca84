import { useSyncExternalStore } from "react";

/** Beside the rail, every column of the list fits from here on. */
const room = matchMedia("(min-width: 76rem)");

const subscribe = (listener: () => void) => {
  room.addEventListener("change", listener);
  return () => room.removeEventListener("change", listener);
};

/** True where there is room for all columns of the list. */
export const useRoom = (): boolean => useSyncExternalStore(subscribe, () => room.matches);
