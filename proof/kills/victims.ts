import { pick } from "../../services/operations/seed/seeded-random.ts";
import { killAll, killServer, pidsOfServer } from "../../testing/postgres/embedded-fixture.ts";
import type { Site } from "../faults/site.ts";

/** What is killed. Something else starts it again. */
export type Victim = {
  readonly name: string;
  readonly kill: () => void;
  /** Whether it works again since it was killed. */
  readonly isReady: () => boolean | Promise<boolean>;
};

/** The sandbox stands for others' machines, which do not die with ours. */
const spared = "sandbox";

/** Every process of a site, its Redis if it has one, and its Postgres: once as a whole, and once one of its processes at random. */
export function victimsOf(site: Site, random: () => number): readonly Victim[] {
  const isReady = () => answers(site);
  const children = () => pidsOfServer(site.dataDirectory).slice(1);
  return [
    ...site.processes.filter(({ name }) => name !== spared),
    ...(site.redis ? [{ name: "redis", ...site.redis }] : []),
    { name: "postgres", kill: () => killServer(site.dataDirectory), isReady },
    {
      name: "a process of postgres",
      kill: () => killAll([pick(random, children())]),
      // While the server recovers from the death of another one, it may have none.
      isReady: async () => (await isReady()) && children().length > 0,
    },
  ];
}

async function answers({ pool }: Site): Promise<boolean> {
  try {
    await pool.query("select 1");
    return true;
  } catch {
    // It is down, or recovers: asked again.
    return false;
  }
}
