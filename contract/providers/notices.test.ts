import { expect, test } from "vitest";
import * as z from "zod/mini";
import { groNoticeMessage } from "./notices.ts";

const notice = { noticeId: "n-1", key: "a-key", kind: "dispatched", occurredAt: "2026-11-23T10:00:00.000Z" };
const accepts = (changes: object) => z.safeParse(groNoticeMessage, { ...notice, ...changes }).success;

test("A notice of the GRO has ids that events can name", () => {
  expect(accepts({})).toBe(true);
  expect(accepts({ noticeId: "Llythyr 7 🐑" })).toBe(true);
  for (const id of ["", "n\0", "n\ud800", "n".repeat(201)]) {
    expect(accepts({ noticeId: id })).toBe(false);
    expect(accepts({ key: id })).toBe(false);
  }
});
