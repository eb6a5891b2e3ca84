import { afterEach, expect, test, vi } from "vitest";
import { followOrder } from "./lookup-requests.ts";

/** A stream of which a test decides what it says. */
class PlayedSource extends EventTarget {
  closed = false;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
  close(): void {
    this.closed = true;
  }
}

function visit() {
  const streams: PlayedSource[] = [];
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const listener = { changed: vi.fn(), live: vi.fn() };
  vi.stubGlobal(
    "EventSource",
    class extends PlayedSource {
      constructor(url: string) {
        super(url);
        streams.push(this);
      }
    },
  );
  vi.stubGlobal("document", page);
  const setVisibility = (visibilityState: string): void => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { streams, listener, setVisibility, stop: followOrder("7K3M-1", listener) };
}

afterEach(() => vi.unstubAllGlobals());

test("an order's changes are heard, with the position to read it at", () => {
  const { streams, listener } = visit();
  expect(streams[0]?.url).toBe("/api/orders/lookup/7K3M-1/updates");
  streams[0]?.dispatchEvent(new Event("open"));
  expect(listener.live).toHaveBeenLastCalledWith(true);
  streams[0]?.dispatchEvent(new MessageEvent("changed", { data: "{}", lastEventId: "000042" }));
  expect(listener.changed).toHaveBeenCalledExactlyOnceWith("000042");
});

test("a hidden page lets go of its stream, and takes it up again when it is looked at", () => {
  const { streams, listener, setVisibility } = visit();
  setVisibility("hidden");
  expect(streams.map(({ closed }) => closed)).toEqual([true]);
  expect(listener.live).toHaveBeenLastCalledWith(false);
  setVisibility("visible");
  expect(streams.map(({ closed }) => closed)).toEqual([true, false]);
});

test("a stream that fails is not called live", () => {
  const { streams, listener } = visit();
  streams[0]?.dispatchEvent(new Event("open"));
  streams[0]?.dispatchEvent(new Event("error"));
  expect(listener.live).toHaveBeenLastCalledWith(false);
});

test("once stopped, nothing is opened any more", () => {
  const { streams, setVisibility, stop } = visit();
  stop();
  setVisibility("hidden");
  setVisibility("visible");
  expect(streams.map(({ closed }) => closed)).toEqual([true]);
});
