import type { Request, RequestHandler } from "express";

/** Postgres stores no null character, neither in text nor in JSON. */
export function holdsNull(request: Request): boolean {
  return /%00/.test(request.url) || hasNull(request.body);
}

/** Answers 400. Mount before the routes, and again after body parsers. */
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

/** The status a body parser gives to unreadable input; undefined if the error is ours. */
export function statusOfUnreadable(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
