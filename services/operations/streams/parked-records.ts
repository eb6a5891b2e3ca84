import type { ParkedStream } from "../../../infra/following/parked-streams.ts";

export type ParkedRecord = ParkedStream & {
  /** Null for a stream that is neither. */
  readonly subject: { readonly kind: "order" | "ticket"; readonly id: string } | null;
  /** Number of its due tasks, which wait with it. */
  readonly tasksDue: number;
};

export type ParkedRecords = {
  /** Longest parked first. */
  list(limit: number): Promise<readonly ParkedRecord[]>;
  count(): Promise<number>;
  /**
   * Asks the running followers to retry one stream or all, which happens within seconds. @returns the number of streams
   * asked for
   */
  retry(stream?: string): Promise<number>;
};
