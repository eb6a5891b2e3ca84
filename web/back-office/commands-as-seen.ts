import { ApiError } from "../api/problem.ts";

type AsSeen<Body> = Body & { readonly expectedRevision: number };

/**
 * Sends commands with the revision that was seen. Until a command is answered, the same body is sent again as it first
 * was, with its revision and key: the page may already show what it did, and it must not be done twice.
 */
export function commandsAsSeen(newKey: () => string) {
  let unanswered: { readonly text: string; readonly expectedRevision: number; readonly key: string } | null =
    null;
  return async <Body extends object, Answer>(
    body: Body,
    seen: number,
    post: (body: AsSeen<Body>, options: { readonly idempotencyKey: string }) => Promise<Answer>,
  ): Promise<Answer> => {
    const text = JSON.stringify(body);
    if (unanswered?.text !== text) unanswered = { text, expectedRevision: seen, key: newKey() };
    const { expectedRevision, key } = unanswered;
    try {
      const answer = await post({ ...body, expectedRevision }, { idempotencyKey: key });
      unanswered = null;
      return answer;
    } catch (failure) {
      if (isAnswer(failure)) unanswered = null;
      throw failure;
    }
  };
}

/** Refusals that come before the command is looked up, so they do not say whether it was carried out. */
const refusedBefore = [401, 403, 429];

const isAnswer = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status < 500 && !refusedBefore.includes(failure.status);
