import { expect, test } from "vitest";
import { forgetTypedWork, typedWork } from "./identity-store.ts";

function memory(kept: Map<string, string>): Storage {
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  };
}

test("What was typed and not sent is forgotten, and nothing else of the tab", () => {
  const kept = new Map([
    [`${typedWork}ticket-reply:T-1`, "Dear Siân"],
    ["position", "00a1"],
    [`${typedWork}ticket-note:T-2`, "Rang."],
  ]);
  forgetTypedWork(memory(kept));
  expect([...kept.keys()]).toEqual(["position"]);
});
