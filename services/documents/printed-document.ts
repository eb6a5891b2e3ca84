/** The text content of a document; the printer decides its appearance. */
export type PrintedDocument = {
  readonly title: string;
  /** Under the title: the subject of the document. */
  readonly lead: readonly string[];
  readonly sections: readonly PrintedSection[];
  /** At the foot of every page, before the page number. */
  readonly footer: string;
  readonly author: string;
  /** The same content and time give the same bytes. */
  readonly madeAt: Date;
};

export type PrintedSection = {
  readonly heading: string;
  readonly paragraphs?: readonly string[];
  readonly facts?: readonly PrintedFact[];
};

export type PrintedFact = { readonly name: string; readonly value: string };
