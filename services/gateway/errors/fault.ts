/** Describes an error for the log, without its message: database and parser messages repeat values. */
type Fault = { readonly name: string; readonly at: readonly string[] };

const mostFrames = 8;

/** Name and place of an error. The message is cut off first: one with several lines may look like a stack. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { name, message, stack = "" } = error;
  const messageAt = stack.indexOf(message);
  // A message changed after the throw cannot be found in the stack, and so cannot be cut off.
  const afterMessage = messageAt < 0 ? "" : stack.slice(messageAt + message.length);
  const frames = afterMessage.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return { name, at: frames.slice(0, mostFrames).map((line) => line.trim()) };
}
