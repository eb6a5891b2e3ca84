/** What a log may say of an error: never its message, which may repeat a value (a database's, a parser's). */
export type Fault = { readonly name: string; readonly at: readonly string[] };

const mostFrames = 8;

/** An error's name and where it was thrown. A message of several lines may look like a stack, so it is cut off first. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { name, message, stack = "" } = error;
  const messageAt = stack.indexOf(message);
  // Where the message was changed since, nobody can say where it ends.
  const afterMessage = messageAt < 0 ? "" : stack.slice(messageAt + message.length);
  const frames = afterMessage.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return { name, at: frames.slice(0, mostFrames).map((line) => line.trim()) };
}
