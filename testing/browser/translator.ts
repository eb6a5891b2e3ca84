import type { BrowserContext } from "playwright-core";

/**
 * Treats every page as a browser does that translates it: each text, also a new or changed one, is moved into two
 * nested `font` elements, except below `translate="no"`. A text that React would move or remove by itself is
 * reported as an error, because the next change of its surroundings would break the page.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const kept = "script, style, textarea, title, noscript, [translate=no], font font";
    const report = (text: Node, parent: Element): void => {
      // Radix removes what it announces as one piece, beside the app.
      if (parent.closest("#root, [aria-live=assertive]")?.id !== "root") return;
      if (!Object.keys(text).some((key) => key.startsWith("__reactFiber"))) return;
      reportError(
        new Error(`React holds on to the text "${text.nodeValue}" in ${parent.outerHTML.slice(0, 200)}`),
      );
    };
    const translate = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) texts.push(text);
      for (const text of texts) {
        const parent = text.parentElement;
        if (parent === null || parent.closest(kept) !== null) continue;
        report(text, parent);
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = text.nodeValue;
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
  });
}
