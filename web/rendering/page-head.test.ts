import { expect, test } from "vitest";
import { liveConfig } from "../../testing/pages/rendered-page.ts";
import { pages } from "../paths.ts";
import { paths, renderPage } from "./pages.tsx";

const publicUrl = "https://certificates.example";

const headAt = (path: string): Promise<string> =>
  renderPage(path, { template: "<!--head-->", config: liveConfig, publicUrl });

const contentOf = (head: string, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(head)?.[1];

const withoutListing = Object.values(pages).filter((path) => !paths.includes(path));

test.each(paths)("%s says to search engines and link previews what it is", async (path) => {
  const head = await headAt(path);
  expect(head).toMatch(/<title>[^<]+ – Ash &amp; Oak<\/title>/);
  expect(head).toContain(`<link rel="canonical" href="${publicUrl}${path}" />`);
  expect(contentOf(head, "description")?.length).toBeGreaterThan(40);
  expect(contentOf(head, "og:url")).toBe(`${publicUrl}${path}`);
  expect(contentOf(head, "og:image")).toBe(`${publicUrl}/social-card.png`);
  expect(contentOf(head, "twitter:card")).toBe("summary_large_image");
  expect(contentOf(head, "robots")).toBeUndefined();
});

test("no two public pages have one title or one description", async () => {
  const heads = await Promise.all(paths.map(headAt));
  for (const name of ["og:title", "description"]) {
    expect(new Set(heads.map((head) => contentOf(head, name))).size).toBe(paths.length);
  }
});

test.each([
  ...withoutListing,
  `${pages.accessAdmin}/orders`,
  `${pages.adminLogin}/factor-one`,
  "/no-such-page",
])("%s is kept out of search engines, and says nothing to them", async (path) => {
  const head = await headAt(path);
  expect(contentOf(head, "robots")).toBe("noindex");
  expect(head).not.toMatch(/canonical|og:|twitter:|name="description"/);
});
