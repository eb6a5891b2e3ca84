import type { Request, RequestHandler } from "express";

/** Postgres stores no null character, neither in text nor in JSON: what holds one can be neither found nor kept. */
export function holdsNull(request: Request): boolean {
  return /%00/.test(request.url) || hasNull(request.body);
}

/** Answers 400; to stand before routes, and once more after what reads their bodies. */
export const refuseNull: RequestHandler = (request, response, next) => {
  if (!holdsNull(request)) return next();
  response.status(400).json({ issues: "The request holds a null character." });
};

/** Whether any text in parsed JSON has one. Not recursive: JSON may be nested deeper than the stack. */
export function hasNull(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && value.includes("\0")) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.entries(value)) unseen.push(...member);
  }
  return false;
}

/** The status that a parser gives to what it cannot read; undefined where the fault is ours. */
export function statusOfUnreadable(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
