import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { automationDocument } from "./automation-document.ts";

// npm run docs:automation: regenerates the contract from its schemas.

const file = join(import.meta.dirname, "..", "..", "..", "docs", "gro-automation.openapi.json");
writeFileSync(file, `${JSON.stringify(automationDocument(), null, 2)}\n`);
