import { type Logger, type LoggerOptions, pino } from "pino";
import { currentCorrelation } from "../tracing/correlation.ts";

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
 * JSON lines on stdout. Callers log ids, codes and durations, never what a person typed; known names of personal fields are redacted besides.
 * A line that is written on behalf of a request carries that request's id as `correlationId`.
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
  // At once: lines still to be written at the end are tried for ever where whoever read them is gone (sonic-boom 4.2, flushSync), and the process stays.
  return pino(options, pino.destination({ dest: 1, sync: true }));
}
