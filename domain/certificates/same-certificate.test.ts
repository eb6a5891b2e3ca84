import { describe, expect, it } from "vitest";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { applicationRecord } from "../forms/sealed-records.ts";
import { variantRequest } from "../forms/variant-request.ts";
import { isSameCertificate } from "./same-certificate.ts";

const typed = variantBody();
const applicationOf = (changes: Record<string, unknown> = {}) =>
  applicationRecord.parse(variantRequest("2026-11-21").parse({ ...typed, ...changes }).application);
const detailed = (changes: Record<string, unknown>) =>
  applicationOf({ certificateDetails: { ...typed.certificateDetails, ...changes } });

describe("Two applications are for the same certificate", () => {
  it.each([
    ["as they are", applicationOf()],
    ["in other letters and spaces", detailed({ PlaceOfBirth: "  ABERYSTWYTH " })],
    ["for another applicant", applicationOf({ customerFirstName: "Nest", customerLastName: "Puw" })],
    ["in another order", applicationOf({ reference: "REF-2026-999" })],
    ["with more copies", applicationOf({ fullCertificateQty: 2, amount: 90 })],
    ["at another speed", applicationOf({ priorityDispatch: true, serviceType: "Express", amount: 90 })],
  ])("%s", (_, other) => {
    expect(isSameCertificate(applicationOf(), other)).toBe(true);
  });
});

describe("Two applications are for different certificates", () => {
  it.each([
    ["with another forename", detailed({ ForenamesAtBirth: "Gwen" })],
    ["with another day", detailed({ DateOfBirth: { Day: 2, Month: "March", Year: 1970 } })],
    [
      "registered in another year",
      applicationOf({ eventDetails: { ...typed.eventDetails, YearRegistered: 1971 } }),
    ],
  ])("%s", (_, other) => {
    expect(isSameCertificate(applicationOf(), other)).toBe(false);
  });
});
