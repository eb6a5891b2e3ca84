import { ApiError, referenceWords } from "./problem.ts";

const ourFault = "Something went wrong on our end, or the connection was lost. Please try again.";

/** What the server says about a command that it refused: the refused fields, its sentence, or that it is our fault. */
export function refusalWords(failure: unknown): string[] {
  if (!(failure instanceof ApiError) || failure.status >= 500) return [ourFault, ...referenceWords(failure)];
  if (failure.fields.length > 0) return failure.fields.map(({ message }) => message);
  return [failure.detail ?? ourFault];
}
