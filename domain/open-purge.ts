/**
 * A purge that was started and has not come to an end. It stands in the log before anything is destroyed, and names exactly what is
 * destroyed: from then on the records count as gone, so that no command reads them, adds to them or finds them missing.
 */
export interface OpenPurge<Rule extends string, Kind extends string> {
  /** The id of the event that started it, which its result names. */
  readonly startedBy: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly rule: Rule;
  readonly records: readonly { readonly ref: string; readonly kind: Kind }[];
}
