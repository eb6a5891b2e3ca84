import { isTextPage } from "../paths.ts";
import { drawOnSight } from "../ui/rosette-on-sight.ts";

/** What a page of text does without the app: draws its ornament, and fetches the app ahead for a page that needs it. */
export function completeTextPage(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-rosette]")) drawOnSight(place);
  for (const kind of ["pointerover", "focusin"]) addEventListener(kind, fetchAppAhead, { passive: true });
}

/** Once a link to a page that needs the app is pointed at, touched or focused: most visits read and leave. */
function fetchAppAhead({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.origin !== location.origin || isTextPage(link.pathname)) return;
  for (const file of document.querySelectorAll("link[data-later]")) file.setAttribute("rel", "modulepreload");
}
