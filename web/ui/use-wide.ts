import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 62rem)");

const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** True from the width on at which two columns fit; the same measure as the `lg` breakpoint of tokens.css. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
