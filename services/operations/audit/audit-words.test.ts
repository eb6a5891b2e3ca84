import { expect, it } from "vitest";
import { noteBroken, rolledBack, tileDamaged } from "../../../infra/audit/audit-problem.ts";
import { wordsOf } from "./audit-words.ts";

const report = {
  events: 7,
  streams: 2,
  checkpoints: 1,
  position: "",
  rollingHash: "0".repeat(64),
  root: undefined,
  eventId: null,
  logId: "log",
  verified: undefined,
  from: undefined,
};

it.each([
  [tileDamaged({ level: 0, number: 10 }), "run npm run audit -- --rebuild-tree"],
  [noteBroken("in the database", ""), "put an intact copy in its place"],
  [rolledBack(0, 7), "back into KEY_DIR, from the mirror"],
])("says what to do where the events are not what is wrong", (problem, todo) => {
  const words = wordsOf({ ...report, problem });
  expect(words).toContain(todo);
  expect(words).not.toContain("--accept");
});
