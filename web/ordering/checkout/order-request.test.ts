import { expect, test } from "vitest";
import { createOrderRequest } from "../../../contract/orders/ordering.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { completeBirthDraft, completeDrafts } from "../../../testing/pages/draft-fixture.ts";
import { orderRequestOf } from "./order-request.ts";

const terms = { totalPence: 4500, termsVersion: 2, consentVersion: 1, today: "2026-11-20" };

test.each(completeDrafts())("a draft of a $certificateType makes bodies that the server accepts", (draft) => {
  const request = orderRequestOf(draft, terms);
  expect(createOrderRequest.safeParse(request.order).success).toBe(true);
  expect(variantRequest(terms.today).safeParse(request.variant("REF-2026-7")).error).toBeUndefined();
});

test("a draft whose details are not complete makes no request", () => {
  const draft = completeBirthDraft();
  draft.birth.placeOfBirth = "";
  expect(() => orderRequestOf(draft, terms)).toThrow("not complete");
});

test("equal drafts ask for the same; any change asks for something else", () => {
  const asked = orderRequestOf(completeBirthDraft(), terms).asked;
  const other = completeBirthDraft();
  expect(orderRequestOf(other, terms).asked).toBe(asked);
  other.birth.placeOfBirth = "Hwlffordd";
  expect(orderRequestOf(other, terms).asked).not.toBe(asked);
  expect(orderRequestOf(completeBirthDraft(), { ...terms, totalPence: 9000 }).asked).not.toBe(asked);
  expect(orderRequestOf(completeBirthDraft(), { ...terms, termsVersion: 3 }).asked).not.toBe(asked);
});
