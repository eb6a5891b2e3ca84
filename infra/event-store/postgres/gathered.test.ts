import { expect, it } from "vitest";
import { Gathered } from "./gathered.ts";

function gathering(answer: (asked: readonly number[]) => number = (asked) => asked.length) {
  const statements: (readonly number[])[] = [];
  const gathered = new Gathered<number, number>(async (asked) => {
    statements.push(asked);
    return answer(asked);
  });
  return { statements, ask: (n: number) => gathered.answerTo(n) };
}

it("answers what is asked for in one turn of the loop with one statement, and later questions anew", async () => {
  const { statements, ask } = gathering();
  expect(await Promise.all([ask(1), ask(2)])).toEqual([2, 2]);
  expect(await ask(3)).toBe(1);
  expect(statements).toEqual([[1, 2], [3]]);
});

it("asks for no more at a time than one statement should answer", async () => {
  const { statements, ask } = gathering();
  const many = Array.from({ length: 130 }, (_, n) => n);
  await Promise.all(many.map(ask));
  expect(statements.map((each) => each.length)).toEqual([64, 64, 2]);
  expect(statements.flat()).toEqual(many);
});

it("fails for those that asked together, and for no later one", async () => {
  const { ask } = gathering((asked) => {
    if (asked.includes(1)) throw new Error("The database is away.");
    return 0;
  });
  const together = await Promise.allSettled([ask(1), ask(2)]);
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask(3)).toBe(0);
});
