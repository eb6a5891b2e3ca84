/** What may stand in a line: words, or words that lead somewhere. */
export type Inline = string | { link: string; to: string };

/** One part of a letter. Both renderings are made of the same parts, so text and HTML never say different things. */
export type Block =
  | { kind: "paragraph"; content: readonly Inline[] }
  | { kind: "heading"; text: string }
  /** Names and values; the last one is a sum when `sum` is set. */
  | { kind: "facts"; facts: readonly Fact[]; sum?: Fact }
  | { kind: "list"; items: readonly string[] }
  /** The one thing to press. */
  | { kind: "button"; text: string; to: string }
  /** A form to copy: its lines stay as they are. */
  | { kind: "form"; lines: readonly string[] };

export type Fact = { name: string; value: string };

/** A mail before it is rendered. */
export type Letter = { subject: string; blocks: readonly Block[] };

export const paragraph = (...content: readonly Inline[]): Block => ({ kind: "paragraph", content });
export const heading = (text: string): Block => ({ kind: "heading", text });
export const facts = (...list: readonly Fact[]): Block => ({ kind: "facts", facts: list });
export const list = (...items: readonly string[]): Block => ({ kind: "list", items });
export const button = (text: string, to: string): Block => ({ kind: "button", text, to });
