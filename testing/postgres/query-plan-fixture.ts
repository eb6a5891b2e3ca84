import { z } from "zod";
import type { Pool } from "../../infra/postgres/pool.ts";

/** For tests of large tables: the statements sent by some code, and how Postgres executes them. */

export type Statement = { readonly text: string; readonly values: unknown[] };

/** How a statement was executed: indexes used, tables scanned sequentially, and blocks of 8 kB touched. */
type Carried = { readonly indexes: string[]; readonly scanned: string[]; readonly blocks: number };

const node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Shared Hit Blocks": z.number(),
  "Shared Read Blocks": z.number(),
  get Plans() {
    return z.array(node).optional();
  },
});
type Node = z.infer<typeof node>;
const explained = z.array(z.object({ "QUERY PLAN": z.array(z.object({ Plan: node })) }));

const nodesOf = (plan: Node): Node[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements that `work` sends to the given pool. */
export async function statementsOf(
  pool: Pool,
  work: (recording: Pool) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = (first: string | Statement, values: unknown[] = []) => {
    statements.push(typeof first === "string" ? { text: first, values } : first);
    return typeof first === "string" ? pool.query(first, values) : pool.query(first);
  };
  await work(
    new Proxy(pool, {
      get: (target, name, receiver) => (name === "query" ? query : Reflect.get(target, name, receiver)),
    }),
  );
  return statements;
}

/** Executes a statement, rolls it back, and returns its plan. */
export async function carriedOut(pool: Pool, { text, values }: Statement): Promise<Carried> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const [row] = explained.parse(rows);
    const plan = row?.["QUERY PLAN"][0]?.Plan;
    if (!plan) throw new Error("Postgres returned no plan.");
    const nodes = nodesOf(plan);
    return {
      indexes: nodes.flatMap((one) => one["Index Name"] ?? []),
      scanned: nodes.flatMap((one) => (one["Node Type"] === "Seq Scan" ? (one["Relation Name"] ?? []) : [])),
      blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    };
  } finally {
    await client.query("rollback");
    client.release();
  }
}
