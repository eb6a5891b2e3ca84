import { pages } from "../../paths.ts";

/** An address with where to go afterwards; without, as it is. */
export const withRedirect = (path: string, redirect: string | null): string =>
  redirect === null ? path : `${path}?${new URLSearchParams({ redirect })}`;

/** Where a provider sends the browser once somebody is signed in, to go on to `redirect`. */
export const callbackOf = (redirect: string): string => withRedirect(pages.signedIn, redirect);
