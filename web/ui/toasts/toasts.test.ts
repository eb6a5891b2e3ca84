import { expect, test, vi } from "vitest";
import { createToasts } from "./toasts.ts";

test("one notification is shown at a time: the newest replaces the one before", () => {
  const toasts = createToasts(() => undefined);
  toasts.show({ title: "First" });
  toasts.show({ title: "Second", description: "Words", variant: "destructive" });
  expect(toasts.current()).toEqual([
    { id: "2", title: "Second", description: "Words", variant: "destructive", open: true },
  ]);
});

test("a dismissed notification closes at once and is removed 1,000,000 ms later", () => {
  const later = vi.fn<(run: () => void, ms: number) => void>();
  const toasts = createToasts(later);
  const id = toasts.show({ title: "First" });
  toasts.dismiss(id);
  expect(toasts.current()[0]).toMatchObject({ open: false, variant: "default" });
  expect(later).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 1_000_000);
  later.mock.calls[0]?.[0]();
  expect(toasts.current()).toEqual([]);
});

test("dismissing twice, or a notification that is gone, changes nothing", () => {
  const later = vi.fn();
  const toasts = createToasts(later);
  const id = toasts.show({ title: "First" });
  toasts.dismissAll();
  toasts.dismiss(id);
  toasts.dismiss("99");
  expect(later).toHaveBeenCalledOnce();
});

test("listeners hear each change until they leave", () => {
  const toasts = createToasts(() => undefined);
  const listener = vi.fn();
  const leave = toasts.subscribe(listener);
  toasts.show({ title: "First" });
  leave();
  toasts.show({ title: "Second" });
  expect(listener).toHaveBeenCalledOnce();
});
