import pg from "pg";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { type Way as Appending, plainTable } from "../append/drivers.ts";
import { measureAppends } from "../append/measure.ts";
import { inTurn, type Round } from "./rounds.ts";

const callers = 64;
/** Each round is of a new process, whose code must be compiled first. */
const warmUpMs = 2_500;

type Contestant = { readonly name: string; readonly way: Appending; readonly table: string };

type Appends = {
  /** The folder that has it, if it is to be measured. */
  readonly emmett: string | undefined;
  readonly rounds: number;
  readonly measureMs: number;
};

/**
 * Durable appends of the same sealed event, each of 680 bytes, as in `npm run bench:append`.
 * @throws OperatorError when one acknowledged events that it does not have
 */
export async function compareAppends(
  connectionString: string,
  { emmett, rounds, measureMs }: Appends,
): Promise<Map<string, Round[]>> {
  await migrate(connectionString);
  const database = new pg.Client({ connectionString });
  await database.connect();
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.end());
  await database.query(plainTable);
  const contestants: Contestant[] = [
    { name: "The product", way: "batched", table: "events" },
    ...(emmett === undefined ? [] : [{ name: "Emmett", way: "emmett", table: "emt_messages" } as const]),
    { name: "One insert per transaction", way: "single", table: "plain_events" },
  ];
  let nth = 0;
  const ran = await inTurn(
    contestants.map(({ name, way }) => ({
      name,
      run: () =>
        measureAppends({
          ...{ way, emmett, connectionString, callers, processes: 1, warmUpMs, measureMs },
          name: `${nth++}`,
        }),
    })),
    rounds,
  );
  for (const { name, table } of contestants) {
    const acknowledged =
      (ran.get(name) ?? []).reduce((sum, { perSecond }) => sum + perSecond, 0) * (measureMs / 1000);
    const { rows } = await database.query<{ n: number }>(`select count(*)::integer as n from ${table}`);
    const [{ n } = { n: 0 }] = rows;
    if (n < Math.round(acknowledged))
      throw new OperatorError(`${name} acknowledged ${Math.round(acknowledged)} events and has ${n}.`);
  }
  return ran;
}
