import { expect, it } from "vitest";
import { drafts } from "./ticket-texts.ts";

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

it("keeps reply and note apart for each ticket, and nothing once they are sent", () => {
  const store = memory();
  const { read, keep } = drafts(store);
  keep("T-1", "reply", "Dear");
  keep("T-1", "note", "Rang");
  keep("T-2", "reply", "Hello");
  expect([read("T-1", "reply"), read("T-1", "note"), read("T-2", "reply"), read("T-2", "note")]).toEqual([
    "Dear",
    "Rang",
    "Hello",
    "",
  ]);
  keep("T-1", "reply", "");
  expect([...store.kept.values()]).toEqual(["Rang", "Hello"]);
});
