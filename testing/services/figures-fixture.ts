/** One sample of a scrape. */
export type Figure = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Parses a process' `/metrics`. Names are given without our prefix. */
export function readFigures(text: string) {
  const figures: Figure[] = text.split("\n").flatMap((row) => {
    const [, name = "", labels = "", value = ""] = line.exec(row) ?? [];
    if (name === "") return [];
    const named = [...labels.matchAll(label)].map(([, key = "", is = ""]) => [key, is]);
    return [{ name, labels: Object.fromEntries(named), value: Number(value) }];
  });
  const all = (name: string) => figures.filter((figure) => figure.name === `certificates_${name}`);
  return {
    figures,
    all,
    /** Sum of all samples with these labels. */
    sum: (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      all(name)
        .filter((figure) => Object.entries(labels).every(([key, is]) => figure.labels[key] === is))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
