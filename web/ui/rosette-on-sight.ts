const svg = "http://www.w3.org/2000/svg";

/**
 * Draws the rosette of the fingerprint in `data-rosette` once its place is about to be visible: its lines would be most
 * of the page's HTML, and of the work to show it. Works without the app.
 * @returns what stops the waiting
 */
export function drawOnSight(place: HTMLElement): () => void {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      void draw(place);
    },
    { rootMargin: "200px" },
  );
  watcher.observe(place);
  return () => watcher.disconnect();
}

async function draw(place: HTMLElement): Promise<void> {
  const { guilloche } = await import("./guilloche.ts");
  const lines = guilloche(place.dataset.rosette ?? "").map(({ path, width }) =>
    element("path", { d: path, "stroke-width": String(width) }),
  );
  const strokes = element("g", { fill: "none", stroke: "currentColor", "stroke-linejoin": "round" }, lines);
  const drawing = { viewBox: "0 0 200 200", "aria-hidden": "true", class: "text-primary" };
  place.replaceChildren(element("svg", drawing, [strokes]));
}

function element(name: string, attributes: Record<string, string>, content: Element[] = []): Element {
  const made = document.createElementNS(svg, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}
