import { expect, it } from "vitest";
import { accessReasons, accessShown, purgeShown } from "../../../../contract/compliance/registers.ts";
import { anyDestroyed, anyRule } from "../../../../contract/shapes.ts";
import { wordsOf } from "./register-entries.tsx";

it.each([
  ["destroyed record", anyDestroyed.options],
  ["rule", anyRule.options],
  ["class", accessShown.shape.dataClass.options],
  ["reason", accessReasons],
  ["failure", purgeShown.shape.code.def.innerType.options],
])("puts every %s of a register into words", (_, codes) => {
  expect(codes.filter((code) => wordsOf(code) === code && /[A-Z]/.test(code))).toEqual([]);
});

it("shows a code of a newer server as it is", () => {
  expect(wordsOf("letterOpened")).toBe("letterOpened");
});
