import * as Radix from "radix-ui/toast";
import { type Toast, toastDisplayMs, toasts } from "./toasts.ts";

/** Draws the notifications: 5 s each, swiped 50 px to the right, reached with F8. */
export default function ToastStage({ shown }: { shown: readonly Toast[] }) {
  return (
    <Radix.Provider duration={toastDisplayMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={["F8"]}
        label="Notifications ({hotkey})"
        className="no-print fixed inset-x-0 bottom-0 z-30 m-0 mx-auto flex max-w-[26rem] list-none flex-col gap-2 p-4 sm:right-0 sm:left-auto sm:mx-0"
      />
    </Radix.Provider>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const wrong = toast.variant === "destructive";
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) toasts.dismiss(toast.id);
      }}
      className={`toast rounded-4 border border-l-4 bg-surface p-4 shadow-float ${wrong ? "border-danger" : "border-primary"}`}
    >
      <Radix.Title className={`font-[600] ${wrong ? "text-danger" : "text-ink"}`}>{toast.title}</Radix.Title>
      {toast.description && (
        <Radix.Description className="mt-1 text-ink">{toast.description}</Radix.Description>
      )}
      <div className="mt-2 flex gap-4">
        {toast.action && (
          <Radix.Action
            altText={toast.action.words}
            className="link cursor-pointer"
            onClick={toast.action.onPress}
          >
            {toast.action.words}
          </Radix.Action>
        )}
        <Radix.Close className="link cursor-pointer text-14">Dismiss</Radix.Close>
      </div>
    </Radix.Root>
  );
}
