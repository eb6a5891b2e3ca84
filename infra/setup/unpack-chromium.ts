import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

// Unpacks the package's Chromium, with its fonts, to the temporary folder, and the libraries missing on a bare machine,
// if it knows the machine.
await chromium.executablePath();
await inflate(
  join(fileURLToPath(import.meta.resolve("@sparticuz/chromium")), "..", "..", "bin", "al2023.tar.br"),
);
