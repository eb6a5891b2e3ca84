import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { createSandboxSchema } from "../../providers/sandbox/schema.ts";
import { draftStories } from "./draft-stories.ts";
import { orderStories } from "./order-stories.ts";
import { personOf } from "./people.ts";
import { openSeedSystem, type SeedInfrastructure } from "./seed-system.ts";
import { pick, pickWeighted, seededRandom } from "./seeded-random.ts";
import { playTicketStory } from "./ticket-stories.ts";

type SeedRequest = {
  readonly orders: number;
  readonly tickets: number;
  /** Saved drafts that were not ordered. */
  readonly drafts: number;
  readonly seed: number;
  /** Allows existing orders. */
  readonly add: boolean;
};
type Seeded = Pick<SeedRequest, "orders" | "tickets" | "drafts">;

const dayMs = 86_400_000;
/** Stories run in parallel, each with a separate clock; the store batches concurrent appends. */
const abreast = 8;

/** @throws OperatorError if there are orders already, unless adding was requested */
export async function refuseWhereOrdersAre(
  { store }: Pick<SeedInfrastructure, "store">,
  add: boolean,
): Promise<void> {
  if (add || !(await holdsOrders(store))) return;
  throw new OperatorError(
    "This log already holds orders, and invented ones would stay among them for ever. Start with an empty DATA_DIR and KEY_DIR, or pass --add.",
  );
}

/** Searches the log: settings and tickets alone do not count. */
async function holdsOrders(store: EventStore): Promise<boolean> {
  const eventsAtOnce = 1000;
  let after = beginning;
  for (;;) {
    const events = await store.readAll(after, eventsAtOnce);
    if (events.some(({ type }) => type === "OrderCreated")) return true;
    const last = events.at(-1);
    if (!last) return false;
    after = last.position;
  }
}

/**
 * Creates orders, tickets and saved drafts in all phases, spread over the last months, through the same commands as real ones, and
 * sealed like them.
 */
export async function seed(
  infrastructure: SeedInfrastructure,
  { orders, tickets, drafts, seed: number, add }: SeedRequest,
): Promise<Seeded> {
  await refuseWhereOrdersAre(infrastructure, add);
  await createSandboxSchema(infrastructure.pool);
  const orderNumbers: string[] = [];
  await inParallel(orders, async (nth) => {
    const random = seededRandom(number * 1_000_003 + nth);
    // The first few cover every story, however few are requested.
    const { story, age } =
      orderStories[nth] ??
      pickWeighted(random, weighted(orderStories.map((one) => [one, one.weight] as const)));
    const [least, most] = age;
    const startMs = Date.now() - (least + random() * (most - least)) * dayMs;
    const system = await openSeedSystem(infrastructure, new Date(startMs));
    const orderId = await story.execute({ system, person: personOf(random, nth), random });
    orderNumbers.push((await system.deps.orders.load(orderId)).order.orderNumber);
  });
  await inParallel(tickets, async (nth) => {
    const random = seededRandom(number * 2_000_003 + nth);
    const startMs = Date.now() - (1 + random() * 40) * dayMs;
    const system = await openSeedSystem(infrastructure, new Date(startMs));
    const orderNumber =
      random() < 0.6 ? (orderNumbers[Math.floor(random() * orderNumbers.length)] ?? null) : null;
    await playTicketStory(system, personOf(random, nth), random, orderNumber);
  });
  await inParallel(drafts, async (nth) => {
    const random = seededRandom(number * 3_000_017 + nth);
    const { age, play } = draftStories[nth] ?? pick(random, draftStories);
    const [least, most] = age;
    const startMs = Date.now() - (least + random() * (most - least)) * dayMs;
    const system = await openSeedSystem(infrastructure, new Date(startMs));
    await play({ system, person: personOf(random, nth), random });
  });
  return { orders: orderNumbers.length, tickets, drafts };
}

const weighted = <One>(all: readonly (readonly [One, number])[]) => {
  const [first, ...others] = all;
  if (!first) throw new RangeError("No stories.");
  return [first, ...others] as const;
};

async function inParallel(count: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let nth = next++; nth < count; nth = next++) await work(nth);
  };
  await Promise.all(Array.from({ length: abreast }, worker));
}
