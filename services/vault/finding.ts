/** What a person can be found by. */
export type TermKind = "email" | "surname" | "postcode";

/** Whose contact record it is. */
export type FoundSubject = { readonly kind: "order" | "ticket"; readonly id: string };

/** `more`: there are others beyond the limit. */
export type Findings = { readonly subjects: readonly FoundSubject[]; readonly more: boolean };

/**
 * The port of searching people. What was typed is compared under the keys of the blind index and kept nowhere. Orders are found once paid,
 * tickets once opened, both until their contact data is destroyed; those of the newest months come first.
 */
export type Finder = {
  /**
   * @param typed as a person types it: case, accents, spaces and punctuation do not matter, but in an email address only case does not
   * @throws RecordUnreadable when the key of a month is not to be had
   */
  find(kind: TermKind, typed: string, limit: number): Promise<Findings>;
};

/**
 * A customer is whoever has one email address: a random id that stands beside the address's terms in the blind index and nowhere else. It
 * is the same for as long as one of their contact records is left, and goes with the last.
 */
export type Customers = {
  /** The customer who has this email address. */
  customerOf(email: string): Promise<string | undefined>;
  /** Whose these orders and tickets are, by their ids; those of nobody (any more) are left out. */
  customersOf(subjectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Orders and tickets of a customer; none when there is no such customer (any more). */
  subjectsOf(customerId: string, limit: number): Promise<Findings>;
};
