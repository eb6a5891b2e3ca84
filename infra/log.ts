import { type Logger, pino } from "pino";

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

/** JSON lines on stdout. Callers log ids, codes and durations, never what a person typed; known names of personal fields are redacted besides. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: personalPaths, censor: "[redacted]" },
  });
}
