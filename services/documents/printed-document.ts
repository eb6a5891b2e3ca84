/** What a document says, whatever it is printed with. All of it is text; the printer decides how it looks. */
export type PrintedDocument = {
  readonly title: string;
  /** Under the title: whom and what it is about. */
  readonly lead: readonly string[];
  readonly sections: readonly PrintedSection[];
  /** At the foot of every page, before the page's number. */
  readonly footer: string;
  /** Who made it. */
  readonly author: string;
  /** When it was made: the same content and moment give the same bytes. */
  readonly madeAt: Date;
};

/** A part under a heading of its own: sentences, then names with their values. */
export type PrintedSection = {
  readonly heading: string;
  readonly paragraphs?: readonly string[];
  readonly facts?: readonly PrintedFact[];
};

export type PrintedFact = { readonly name: string; readonly value: string };
