/** Port of the virus scanner. */
export interface Scanner {
  /** @throws ScannerUnavailable when the scanner cannot be reached or cannot tell */
  scan(bytes: Uint8Array): Promise<"clean" | "infected">;
}

export class ScannerUnavailable extends Error {
  override name = "ScannerUnavailable";
  constructor() {
    super("The virus scanner did not answer.");
  }
}
