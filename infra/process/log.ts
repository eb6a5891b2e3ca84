import { type Logger, type LoggerOptions, pino } from "pino";
import { currentCorrelation } from "../telemetry/tracing/correlation.ts";

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
