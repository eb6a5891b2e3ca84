import { lazy, Suspense, useSyncExternalStore } from "react";
import { toasts } from "./toasts.ts";

const ToastStage = lazy(() => import("./toast-stage.tsx"));

/** Where notifications appear. What draws them is loaded with the first one. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current, toasts.current);
  if (shown.length === 0) return null;
  return (
    <Suspense>
      <ToastStage shown={shown} />
    </Suspense>
  );
}
