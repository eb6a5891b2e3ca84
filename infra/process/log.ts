import { type Logger, type LoggerOptions, pino } from "pino";
import { currentCorrelation } from "../telemetry/tracing/tracing.ts";

export type Log = Logger;

const personalFields = [
  "email",
  "contactFullName",
  "contactAddress",
  "contactPhone",
  "companyName",
  "signature",
  "certificateDetails",
  "eventDetails",
  "authorization",
  "cookie",
  "body",
];
const personalPaths = personalFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * JSON lines on stdout. Callers log ids, codes and durations, never personal data; known names of personal fields are
 * also redacted. A line written for a request carries its id as `correlationId`.
 */
export function createLog(level: string): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const correlationId = currentCorrelation();
      return correlationId === undefined ? {} : { correlationId };
    },
    redact: { paths: personalPaths, censor: "[redacted]" },
  };
  // Synchronous: without a reader, buffered lines are retried for ever at exit (sonic-boom 4.2, flushSync), and the
  // process never ends.
  return pino(options, pino.destination({ dest: 1, sync: true }));
}

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
