/** With which the server lets Clerk's styles, and no others, into this page; undefined where it did not. */
export const styleNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>("meta[property='csp-nonce']")?.nonce || undefined;
