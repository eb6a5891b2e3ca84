import { prefix } from "../../infra/metrics/meter.ts";

/** One figure of a scrape. */
export type Figure = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads what a process answered at `/metrics`. Names are given without what all of ours begin with. */
export function readFigures(text: string) {
  const figures: Figure[] = text.split("\n").flatMap((row) => {
    const [, name = "", labels = "", value = ""] = line.exec(row) ?? [];
    if (name === "") return [];
    const named = [...labels.matchAll(label)].map(([, key = "", is = ""]) => [key, is]);
    return [{ name, labels: Object.fromEntries(named), value: Number(value) }];
  });
  const all = (name: string) => figures.filter((figure) => figure.name === prefix + name);
  return {
    figures,
    all,
    /** Of all whose labels hold these. */
    sum: (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      all(name)
        .filter((figure) => Object.entries(labels).every(([key, is]) => figure.labels[key] === is))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
