import { expect, test } from "vitest";
import { typeParameterOf } from "./type-parameter.ts";

test.each(["Birth", "birth", "BIRTH"])("%s starts a fresh draft with one copy", (asked) => {
  const { draft } = typeParameterOf(asked);
  expect(draft?.certificateType).toBe("Birth");
  expect(draft?.certificateOptions).toMatchObject({
    fullCertificates: 1,
    shortCertificates: 0,
    isPriority: false,
  });
});

test("a death is pre-selected as well", () => {
  expect(typeParameterOf("dEATH").draft?.certificateType).toBe("Death");
});

test("a type that is coming soon leaves the draft alone and is named", () => {
  expect(typeParameterOf("marriage")).toEqual({ notOffered: "Marriage" });
  expect(typeParameterOf("Adoption")).toEqual({ notOffered: "Adoption" });
});

test("anything else asks for nothing", () => {
  expect(typeParameterOf("banns")).toEqual({});
});
