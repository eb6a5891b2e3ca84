import { onDemand } from "./on-demand.tsx";
import { pages } from "./paths.ts";

/** The pages that read without script: the server renders them, and each has a script of its own. Home comes with the app. */
export const publicPages = {
  [pages.services]: onDemand(() => import("./features/information/services-page.tsx")),
  [pages.pricing]: onDemand(() => import("./features/information/pricing-page.tsx")),
  [pages.howItWorks]: onDemand(() => import("./features/information/how-it-works-page.tsx")),
  [pages.about]: onDemand(() => import("./features/information/about-page.tsx")),
  [pages.support]: onDemand(() => import("./features/support/support-page.tsx")),
  [pages.terms]: onDemand(() => import("./features/information/terms-page.tsx")),
  [pages.privacy]: onDemand(() => import("./features/information/privacy-page.tsx")),
  [pages.cookies]: onDemand(() => import("./features/information/cookies-page.tsx")),
  [pages.accessibility]: onDemand(() => import("./features/information/accessibility-page.tsx")),
  [pages.dataProtection]: onDemand(() => import("./features/support/data-protection-page.tsx")),
};

/** What any address without a page shows; the server renders it too, and answers 404. */
export const notFoundPage = onDemand(() => import("./features/utility/not-found-page.tsx"));

/** Loads the script of the page that the server rendered for an address. Home needs none. */
export async function loadPublicPage(path: string): Promise<void> {
  if (path === pages.home) return;
  const found = Object.entries(publicPages).find(([address]) => address === path);
  await (found?.[1] ?? notFoundPage).load();
}
