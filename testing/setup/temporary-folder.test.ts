import { existsSync } from "node:fs";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const ofFile = temporaryFolder("of-file");
let ofTest = "";
const stillThere: string[] = [];
function look(when: string): void {
  if (existsSync(ofTest)) stillThere.push(when);
}
afterEach(() => look("after the test"));

it("is there until the test's own hooks have run", () => {
  ofTest = temporaryFolder("of-test");
  onTestFinished(() => look("when the test is finished"));
  expect(existsSync(ofTest)).toBe(true);
});

it("is gone in the next test, unless it is the file's", () => {
  expect(stillThere).toEqual(["after the test", "when the test is finished"]);
  expect(existsSync(ofTest)).toBe(false);
  expect(existsSync(ofFile)).toBe(true);
});
