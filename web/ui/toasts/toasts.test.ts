import { afterEach, beforeEach, expect, test, vi } from "vitest";

let toasts: typeof import("./toasts.ts").toasts;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  ({ toasts } = await import("./toasts.ts"));
});
afterEach(() => {
  vi.useRealTimers();
});

test("one notification is shown at a time: the newest replaces the one before", () => {
  toasts.show({ title: "First" });
  toasts.show({ title: "Second", description: "Words", variant: "destructive" });
  expect(toasts.current()).toEqual([
    { id: "2", title: "Second", description: "Words", variant: "destructive", open: true },
  ]);
});

test("a dismissed notification closes at once and is removed 1,000,000 ms later", () => {
  const id = toasts.show({ title: "First" });
  toasts.dismiss(id);
  expect(toasts.current()[0]).toMatchObject({ open: false, variant: "default" });
  vi.advanceTimersByTime(999_999);
  expect(toasts.current()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.current()).toEqual([]);
});

test("dismissing twice, or a notification that is gone, changes nothing", () => {
  const id = toasts.show({ title: "First" });
  toasts.dismissAll();
  toasts.dismiss(id);
  toasts.dismiss("99");
  expect(vi.getTimerCount()).toBe(1);
});

test("listeners hear each change until they leave", () => {
  const listener = vi.fn();
  const leave = toasts.subscribe(listener);
  toasts.show({ title: "First" });
  leave();
  toasts.show({ title: "Second" });
  expect(listener).toHaveBeenCalledOnce();
});
