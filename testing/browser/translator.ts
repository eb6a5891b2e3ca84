import type { BrowserContext } from "playwright-core";

/** Begins each translated text: a space without width, which changes the words and which locators do not see. */
const translatedMark = "\u200b";

/** What customers compare and quote: amounts, email addresses, numbers of orders and tickets, references, postcodes. */
const quoted =
  /£\s?\d|\S@\S|[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}|REF-\d|(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)/;

/**
 * Treats every page as a browser does that translates it: each text, also a new or changed one, is moved into two
 * nested `font` elements and changed, except below `translate="no"`. Two things are reported as errors: a text that
 * React would move or remove by itself, because the next change of its surroundings would break the page; and a
 * translated text with what customers quote, or with one of `names`.
 */
export async function translatePages(context: BrowserContext, names: readonly string[] = []): Promise<void> {
  const kept = [quoted.source, ...names].join("|");
  const settings = { mark: translatedMark, kept };
  await context.addInitScript(({ mark, kept }) => {
    const skipped = "script, style, textarea, title, noscript, [translate=no], font font";
    const untranslatable = new RegExp(kept);
    const report = (text: Node, parent: Element): void => {
      // Radix removes what it announces as one piece, beside the app.
      if (parent.closest("#root, [aria-live=assertive]")?.id !== "root") return;
      const words = `"${text.nodeValue}" in ${parent.outerHTML.slice(0, 200)}`;
      // An option can hold no element that would be left out.
      if (parent.tagName !== "OPTION" && untranslatable.test(text.nodeValue ?? ""))
        reportError(new Error(`It is translated: ${words}`));
      if (Object.keys(text).some((key) => key.startsWith("__reactFiber")))
        reportError(new Error(`React holds on to the text ${words}`));
    };
    const translate = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) texts.push(text);
      for (const text of texts) {
        const parent = text.parentElement;
        if (parent === null || parent.closest(skipped) !== null) continue;
        report(text, parent);
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        // An option is chosen by its very words.
        inner.textContent = `${parent.tagName === "OPTION" ? "" : mark}${text.nodeValue}`;
        outer.append(inner);
        text.parentNode?.replaceChild(outer, text);
      }
    };
    const start = (): void => {
      new MutationObserver(() => translate(document.body)).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      translate(document.body);
    };
    // The page is parsed, and its scripts come after this.
    document.addEventListener("readystatechange", start, { once: true });
  }, settings);
}
