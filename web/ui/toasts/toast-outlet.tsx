import { lazy, Suspense, useSyncExternalStore } from "react";
import { type Toast, toasts } from "./toasts.ts";

/** Loads what draws notifications, so that the first one shows at once, and without a connection. */
export const loadToasts = (): Promise<unknown> => import("./toast-stage.tsx").catch(() => undefined);

const ToastStage = lazy(() => import("./toast-stage.tsx").catch(() => ({ default: PlainToasts })));

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

/** Where what draws them could not be loaded: the words alone. A notification must not take the page with it. */
function PlainToasts({ shown }: { shown: readonly Toast[] }) {
  return (
    <div role="alert" className="fixed inset-x-0 bottom-0 z-30 mx-auto max-w-[26rem] p-4">
      {shown
        .filter(({ open }) => open)
        .map(({ id, title, description }) => (
          <div key={id} className="rounded-4 border border-l-4 border-primary bg-surface p-4 shadow-float">
            <p className="font-[600]">{title}</p>
            <p>{description}</p>
            <button type="button" className="link mt-2 cursor-pointer" onClick={() => toasts.dismiss(id)}>
              Dismiss
            </button>
          </div>
        ))}
    </div>
  );
}
