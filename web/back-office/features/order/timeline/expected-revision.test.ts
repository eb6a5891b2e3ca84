import { expect, it } from "vitest";
import type { TimelineEntry } from "../../../../../contract/staff-orders/order-page.ts";
import { sameAs } from "./state-panel.tsx";

const entry = (revision: number, changed: boolean, type = "X"): TimelineEntry => ({
  revision,
  id: `${revision}`,
  type,
  at: "2026-11-21T09:00:00.000Z",
  kind: "staff",
  title: "",
  detail: null,
  actor: { kind: "staff", id: "user_1", name: "Robin" },
  source: "back office",
  correlationId: "",
  causationId: null,
  reason: null,
  changes: changed ? [{ label: "Phase", before: "Paid", after: "Confirmed" }] : [],
  raw: {
    id: "",
    stream: "",
    revision,
    position: "",
    type,
    recordedAt: "2026-11-21T09:00:00.000Z",
    data: {},
    metadata: {},
  },
});

it("An order counts as seen until something changes it", () => {
  expect(sameAs(1, [entry(0, true), entry(1, true)])).toBe(1);
  expect(sameAs(1, [entry(1, true), entry(2, false), entry(3, false)])).toBe(3);
  expect(sameAs(1, [entry(1, true), entry(2, false), entry(3, true), entry(4, false)])).toBe(2);
  // A note says something, though it changes no state.
  expect(sameAs(1, [entry(1, true), entry(2, false), entry(3, false, "NoteAdded")])).toBe(2);
  expect(sameAs(5, [entry(1, true)])).toBe(5);
});
