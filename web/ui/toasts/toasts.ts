/** One notification. `open` turns false when it is dismissed; it is forgotten a good while later. */
export interface Toast {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly action?: { readonly words: string; readonly onPress: () => void };
  readonly open: boolean;
  readonly variant: "default" | "destructive";
}

type NewToast = Omit<Toast, "id" | "open" | "variant"> & { readonly variant?: Toast["variant"] };

export const toastDisplayMs = 5_000;
const removedAfterMs = 1_000_000;
const mostAtOnce = 1;

let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();
const change = (next: readonly Toast[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};

/** The notifications of this page; the newest replaces the one before. */
export const toasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): readonly Toast[] => shown,
  /** Shows a notification and answers its id. */
  show(toast: NewToast): string {
    count += 1;
    const id = String(count);
    change([{ variant: "default" as const, ...toast, id, open: true }, ...shown].slice(0, mostAtOnce));
    return id;
  },
  /** Closes whatever is shown, because it no longer holds. */
  dismissAll(): void {
    for (const { id } of shown) this.dismiss(id);
  },
  /** Closes a notification; it is removed 1,000,000 ms later. */
  dismiss(id: string): void {
    if (!shown.some((toast) => toast.id === id && toast.open)) return;
    change(shown.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
    setTimeout(() => change(shown.filter((toast) => toast.id !== id)), removedAfterMs);
  },
};
