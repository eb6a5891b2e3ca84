import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "./event-store.ts";
import { createUpcast, UnknownEventType } from "./upcasting.ts";

const types = {
  Plain: { version: 1 },
  Priced: {
    version: 3,
    upcasts: {
      1: ({ pounds }: JsonObject) => ({ pence: Number(pounds) * 100 }),
      2: (data: JsonObject) => ({ ...data, currency: "GBP" }),
    },
  },
};

function stored(type: string, schemaVersion: number, data: JsonObject): StoredEvent {
  return {
    id: "7c9d4e0e-5a3c-4f1c-9a57-2d8a4ab0a001",
    stream: "thing-1",
    revision: 0,
    position: "1",
    recordedAt: "2026-11-21T00:00:00.000Z",
    type,
    data,
    metadata: { schemaVersion },
  };
}

it("leaves events in today's shape unchanged", () => {
  expect(createUpcast(types)(stored("Plain", 1, { a: 1 }))).toEqual({ type: "Plain", data: { a: 1 } });
});

it("upcasts an old shape step by step", () => {
  const upcast = createUpcast(types);
  expect(upcast(stored("Priced", 1, { pounds: 2 })).data).toEqual({ pence: 200, currency: "GBP" });
  expect(upcast(stored("Priced", 2, { pence: 5 })).data).toEqual({ pence: 5, currency: "GBP" });
  expect(upcast(stored("Priced", 3, { pence: 5, currency: "EUR" })).data).toEqual({
    pence: 5,
    currency: "EUR",
  });
});

it("refuses an unknown type, also one named like an inherited property", () => {
  for (const type of ["Strange", "constructor", "__proto__"])
    expect(() => createUpcast(types)(stored(type, 1, {}))).toThrow(UnknownEventType);
});

it("refuses a version written by newer code", () => {
  const read = () => createUpcast(types)(stored("Plain", 2, {}));
  expect(read).toThrow("Events of type Plain, version 2, cannot be read.");
});

it("refuses an event without a version", () => {
  expect(() => createUpcast(types)({ ...stored("Plain", 1, {}), metadata: {} })).toThrow("schemaVersion");
});

it("is not created while a step is missing", () => {
  expect(() => createUpcast({ Priced: { version: 3, upcasts: { 2: (data) => data } } })).toThrow(
    "Type Priced has no step from version 1 to 2.",
  );
});
