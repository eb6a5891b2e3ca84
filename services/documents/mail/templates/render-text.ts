import { type Company, contactLines, registrationLines } from "../../../../domain/settings/company.ts";
import type { Block, Fact, Inline, Letter } from "./letter.ts";

const words = (content: readonly Inline[]): string =>
  content.map((part) => (typeof part === "string" ? part : `${part.link} (${part.to})`)).join("");
const line = ({ name, value }: Fact): string => `${name}: ${value}`;

function block(part: Block): string {
  switch (part.kind) {
    case "paragraph":
      return words(part.content);
    case "heading":
      return `${part.text}\n${"-".repeat(part.text.length)}`;
    case "facts":
      return [...part.facts, ...(part.sum ? [part.sum] : [])].map(line).join("\n");
    case "list":
      return part.items.map((item) => `* ${item}`).join("\n");
    case "button":
      return `${part.text}:\n${part.to}`;
    case "form":
      return part.lines.join("\n");
  }
}

export const renderText = (letter: Letter, occasion: { name: string }, company: Company): string =>
  [
    `Dear ${occasion.name},`,
    ...letter.blocks.map(block),
    [company.tradingName, ...contactLines(company), ...registrationLines(company)].join("\n"),
    notAffiliated(company),
  ].join("\n\n");

/** Footer of every mail. */
export const notAffiliated = ({ tradingName }: Company): string =>
  `${tradingName} is a private company. It is not affiliated with the General Register Office or any other government body.`;
