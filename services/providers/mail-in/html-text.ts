import { Tokenizer } from "htmlparser2";

/** Begin and end on a line of their own. */
const blocks = new Set(
  "address article aside blockquote dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);
/** Say nothing that a person reads. */
const silent = new Set("head script style title template noscript svg object textarea select".split(" "));

/**
 * The text of an HTML body, one line a block, quotes marked with ">". Runs nothing and loads nothing: it reads tags from
 * left to right and builds no tree, so time and memory grow with the length alone.
 */
export function textOfHtml(html: string): string {
  const written = new Written();
  let closing = "";
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignored,
      ontext: (start, end) => written.text(html.slice(start, end)),
      ontextentity: (codepoint) => written.text(String.fromCodePoint(codepoint)),
      onopentagname: (start, end) => {
        closing = html.slice(start, end).toLowerCase();
        written.open(closing);
      },
      onselfclosingtag: () => written.close(closing),
      onclosetag: (start, end) => written.close(html.slice(start, end).toLowerCase()),
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return written.end();
}

const nothing = (): undefined => undefined;
const ignored = {
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onattribname: nothing,
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onprocessinginstruction: nothing,
};

const deepestQuote = 20;

class Written {
  readonly #lines: string[] = [];
  #line: string[] = [];
  #quotes = 0;
  /** The open tag whose content is left out, and how often it is open. */
  #silent: { readonly tag: string; depth: number } | undefined;

  text(text: string): void {
    if (this.#silent === undefined) this.#line.push(text);
  }

  open(tag: string): void {
    // A body ends a head that nothing closed.
    if (tag === "body") this.#silent = undefined;
    if (this.#silent !== undefined) {
      if (this.#silent.tag === tag) this.#silent.depth += 1;
      return;
    }
    if (silent.has(tag)) this.#silent = { tag, depth: 1 };
    else if (tag === "br") this.#break(true);
    else if (tag === "td" || tag === "th") this.#line.push(" ");
    else if (blocks.has(tag)) this.#break(false);
    if (tag === "p") this.#gap();
    if (tag === "li") this.#line.push("- ");
    if (tag === "hr") this.#lines.push(this.#quoted("________________________________"));
    if (tag === "blockquote") this.#quotes += 1;
  }

  close(tag: string): void {
    if (this.#silent !== undefined) {
      if (this.#silent.tag !== tag) return;
      this.#silent.depth -= 1;
      if (this.#silent.depth === 0) this.#silent = undefined;
      return;
    }
    if (blocks.has(tag)) this.#break(false);
    if (tag === "blockquote") this.#quotes = Math.max(0, this.#quotes - 1);
    if (tag === "p") this.#gap();
  }

  end(): string {
    this.#break(false);
    return this.#lines.join("\n").trim();
  }

  /** Ends the line, if there is one or `even` an empty one is wanted. */
  #break(even: boolean): void {
    const line = this.#line
      .join("")
      .replace(/[\s\u00a0]+/g, " ")
      .trim();
    this.#line = [];
    if (line !== "" || even) this.#lines.push(this.#quoted(line));
  }

  #gap(): void {
    const last = this.#lines.at(-1);
    const blank = this.#quoted("");
    if (last !== undefined && last !== blank) this.#lines.push(blank);
  }

  #quoted(line: string): string {
    return "> ".repeat(Math.min(this.#quotes, deepestQuote)) + line;
  }
}
