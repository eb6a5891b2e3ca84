import type { ReactNode } from "react";

interface PanelProps {
  title: string;
  tone?: "plain" | "problem" | "done";
  children: ReactNode;
}

const borders = { plain: "border-hairline", problem: "border-danger", done: "border-fulfilled" } as const;

/** One state of step 5. */
export function Panel({ title, tone = "plain", children }: PanelProps) {
  return (
    <section
      role={tone === "problem" ? "alert" : "status"}
      className={`mt-6 rounded-4 border bg-surface px-5 py-6 sm:px-6 ${tone === "plain" ? "" : "border-l-4"} ${borders[tone]}`}
    >
      <h2 className="text-22">{title}</h2>
      <div className="mt-3 space-y-4">{children}</div>
    </section>
  );
}

/** The server's messages about a refused request. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="list-disc space-y-1 pl-5 text-danger">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
