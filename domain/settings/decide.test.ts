import { describe, expect, it } from "vitest";
import { openPaths } from "../../testing/domain/event-leaves-fixture.ts";
import {
  everyTypeAt,
  given,
  sampleChanges,
  scheduled,
  settingsAfter,
  textDigest,
  when,
} from "../../testing/domain/settings-fixture.ts";
import { firstPriceList, priceListAt } from "../pricing/price-list.ts";
import { settingsEventSchema, settingsEventSchemas } from "./settings.ts";

const { ChangePrices, WithdrawPrices, ChangeRetention, GrantStaff, RevokeStaff } = sampleChanges;
const prices = (effectiveFrom: string, unitPricePence = everyTypeAt(4900, 7900)) => ({
  type: "ChangePrices" as const,
  data: { effectiveFrom, unitPricePence },
});
const refusal = (rule: string, details = {}) =>
  expect.objectContaining({ code: "setting-refused", rule, details });

describe("the events of settings", () => {
  it.each(Object.entries(settingsEventSchemas))("%s has no field that could hold text", (_, { data }) => {
    expect(openPaths(data)).toEqual([]);
  });

  it("are refused with an unknown type or a field too many", () => {
    expect(settingsEventSchema.safeParse({ type: "PricesLowered", data: {} }).success).toBe(false);
    const smuggled = { type: "StaffRevoked", data: { userId: "user_1", name: "Jo" } };
    expect(settingsEventSchema.safeParse(smuggled).success).toBe(false);
  });
});

describe("every change", () => {
  const before = [scheduled(2, "2027-01-04", everyTypeAt(5100, 8100))];

  it.each(Object.values(sampleChanges))("$type leads to one event that can be read back", (command) => {
    const events = when(before, command);
    expect(events).toHaveLength(1);
    expect(settingsEventSchema.parse(events[0])).toEqual(events[0]);
  });

  it.each(Object.values(sampleChanges).filter(({ type }) => type !== "WithdrawPrices"))(
    "$type that is true already leads to nothing",
    (command) => {
      expect(when([...before, ...when(before, command)], command)).toEqual([]);
    },
  );

  it.each(["customer", "system", "provider"] as const)("is refused to a %s", (kind) => {
    const metadata = given({ actor: { kind, id: "somebody" } });
    for (const command of Object.values(sampleChanges)) {
      expect(() => when(before, command, metadata)).toThrow(refusal("staff-only"));
    }
  });
});

describe("the company's details", () => {
  it("are refused while they lack what the law demands", () => {
    const lacking = { textDigest, missing: ["companyNumber" as const] };
    expect(() => when([], { type: "ChangeCompanyDetails", data: lacking })).toThrow(refusal("law-demands"));
  });
});

describe("prices", () => {
  it.each([
    ["yesterday", "2026-11-22"],
    ["today", "2026-11-23"],
  ])("cannot begin %s", (_, day) => {
    expect(() => when([], prices(day))).toThrow(refusal("not-before-tomorrow"));
  });

  it("may begin tomorrow, by the clock in London", () => {
    expect(when([], prices("2026-11-24"))).toHaveLength(1);
    // Half past midnight in London, still the day before in UTC.
    const late = given({ at: "2027-06-30T23:30:00.000Z" });
    expect(() => when([], prices("2027-07-01"), late)).toThrow(refusal("not-before-tomorrow"));
    expect(when([], prices("2027-07-02"), late)).toHaveLength(1);
  });

  it.each([
    ["standard", 1600, 7500, 1601],
    ["priority", 4500, 4200, 4201],
  ])("must be above what the GRO takes: %s", (level, standard, priority, leastPence) => {
    expect(() => when([], prices("2027-01-04", everyTypeAt(standard, priority)))).toThrow(
      refusal("not-above-gro-fees", { level, leastPence }),
    );
    expect(when([], prices("2027-01-04", everyTypeAt(1601, 4201)))).toHaveLength(1);
  });

  it("of one type alone are held to the same", () => {
    const unitPricePence = { ...everyTypeAt(4900, 7900), Adoption: { standard: 1000, priority: 7900 } };
    expect(() => when([], prices("2027-01-04", unitPricePence))).toThrow(
      refusal("not-above-gro-fees", { level: "standard", leastPence: 1601 }),
    );
  });

  it("come into force on their day, and the list before stays what it was", () => {
    const { priceLists } = settingsAfter(scheduled(2, "2027-01-04"));
    expect(priceListAt("2027-01-03T23:59:59.999Z", priceLists)).toBe(firstPriceList);
    expect(priceListAt("2027-01-04T00:00:00.000Z", priceLists).unitPricePence.Birth.standard).toBe(4900);
  });

  it("that are scheduled are replaced by others for the same day, under a version of their own", () => {
    const [changed] = when([scheduled(2, "2027-01-04")], prices("2027-01-04", everyTypeAt(5000, 8000)));
    expect(changed).toMatchObject({ type: "PricesChanged", data: { version: 3 } });
    const { priceLists } = settingsAfter(
      scheduled(2, "2027-01-04"),
      scheduled(3, "2027-01-04", everyTypeAt(5000, 8000)),
    );
    expect(priceLists.map(({ version }) => version)).toEqual([1, 3]);
  });

  it("are kept in the order of their days, however they were scheduled", () => {
    const { priceLists } = settingsAfter(scheduled(2, "2027-06-01"), scheduled(3, "2027-01-04"));
    expect(priceLists.map(({ version }) => version)).toEqual([1, 3, 2]);
  });

  it("that are withdrawn never come, and their version is never used again", () => {
    const history = [scheduled(2, "2027-01-04"), ...when([scheduled(2, "2027-01-04")], WithdrawPrices)];
    expect(settingsAfter(...history).priceLists).toEqual([firstPriceList]);
    expect(when(history, ChangePrices)).toMatchObject([{ data: { version: 3 } }]);
  });

  it("cannot be withdrawn once in force, nor when there are none", () => {
    const inForce = given({ at: "2027-01-04T00:00:00.000Z" });
    expect(() => when([scheduled(2, "2027-01-04")], WithdrawPrices, inForce)).toThrow(
      refusal("not-scheduled"),
    );
    expect(() => when([], WithdrawPrices)).toThrow(refusal("not-scheduled"));
    expect(() => when([], { type: "WithdrawPrices", data: { version: 1 } })).toThrow(
      refusal("not-scheduled"),
    );
  });
});

describe("retention", () => {
  const days = (contactRetentionDays: number) => ({
    ...ChangeRetention,
    data: { contactRetentionDays, mostDays: 365 },
  });

  it("may only shorten what the environment gives, and not below 30 days", () => {
    expect(() => when([], days(366))).toThrow(refusal("retention-too-long", { mostDays: 365 }));
    expect(() => when([], days(29))).toThrow(refusal("retention-too-short", { leastDays: 30 }));
    expect(when([], days(365))).toHaveLength(1);
    expect(when([], days(30))).toHaveLength(1);
  });
});

describe("roles", () => {
  it("are never one's own to change, so a manager always remains", () => {
    const self = { userId: given().actor.id };
    expect(() => when([], { type: "RevokeStaff", data: self })).toThrow(refusal("own-role"));
    for (const role of ["staff", "manager", "compliance"] as const) {
      expect(() => when([], { type: "GrantStaff", data: { ...self, role } })).toThrow(refusal("own-role"));
    }
  });

  it("can be given back after a revocation", () => {
    const history = when([], RevokeStaff);
    expect(settingsAfter(...history).grants.get("user_1")).toBe("revoked");
    expect(settingsAfter(...history, ...when(history, GrantStaff)).grants.get("user_1")).toBe("staff");
  });
});

describe("types and texts", () => {
  it("are switched off and on, and stay in their order", () => {
    const off = when([], sampleChanges.ToggleCertificateType);
    expect(settingsAfter(...off).orderable).toEqual(["Birth", "Death", "Adoption"]);
    const on = {
      type: "ToggleCertificateType",
      data: { certificateType: "Marriage", orderable: true },
    } as const;
    expect(settingsAfter(...off, ...when(off, on)).orderable).toEqual([
      "Birth",
      "Death",
      "Marriage",
      "Adoption",
    ]);
  });

  it("are named by their digest, and a removed answer by none", () => {
    const { data } = sampleChanges.ChangeCannedAnswer;
    const kept = when([], sampleChanges.ChangeCannedAnswer);
    expect(settingsAfter(...kept).cannedAnswers.get(data.answerId)).toBe(textDigest);
    const removed = when(kept, { type: "ChangeCannedAnswer", data: { ...data, textDigest: null } });
    expect(settingsAfter(...kept, ...removed).cannedAnswers.get(data.answerId)).toBeNull();
  });
});
