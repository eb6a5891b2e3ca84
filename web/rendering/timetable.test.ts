import { expect, it } from "vitest";
import { despatchWords, postWords, processingMeaning } from "../../domain/promise/timetable.ts";
import { wordsOf } from "../../testing/pages/rendered-page.ts";

it.each(["/pricing", "/how-it-works"])(
  "%s gives the timetable, and says what processing means",
  async (path) => {
    const words = await wordsOf(path);
    for (const part of [despatchWords.standard, despatchWords.priority, postWords, processingMeaning])
      expect(words).toContain(part);
  },
);
