import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

// Unpacks the package's Chromium, with its fonts, to the folder for temporary files, and the libraries that a bare machine lacks, which it leaves out
// where it does not know the machine.
await chromium.executablePath();
await inflate(
  join(fileURLToPath(import.meta.resolve("@sparticuz/chromium")), "..", "..", "bin", "al2023.tar.br"),
);
