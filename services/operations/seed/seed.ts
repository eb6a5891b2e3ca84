import { openTicketForm } from "../../../contract/tickets/conversation.ts";
import type { TicketCategory } from "../../../domain/ticket/vocabulary.ts";
import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { createSandboxSchema } from "../../providers/sandbox/schema.ts";
import { noteOnTicket, openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";
import { draftStories } from "./draft-stories.ts";
import { orderStories } from "./order-stories.ts";
import {
  by,
  byStaff,
  openSeedSystem,
  type SeedInfrastructure,
  type SeedSystem,
  seedCorrelation,
} from "./seed-system.ts";
import { between, pick, pickWeighted, seededRandom } from "./seeded-random.ts";
import { type Person, personOf } from "./seeded-requests.ts";

type SeedRequest = {
  /** At least: some are paid for with others. */
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
    const made = [await story.execute({ system, person: personOf(random, nth), random })].flat();
    for (const orderId of made) orderNumbers.push((await system.deps.orders.load(orderId)).order.orderNumber);
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

type Question = {
  readonly category: TicketCategory;
  readonly subject: string;
  readonly message: string;
  readonly answer: string;
};

const questions: readonly Question[] = [
  {
    category: "order",
    subject: "When will it come?",
    message: "I ordered a fortnight ago for my mother's passport. Can you say when it will be posted?",
    answer:
      "Thank you for writing. The General Register Office has your application; the promised day is on your order's page.",
  },
  {
    category: "correction",
    subject: "A letter in the name",
    message: "I typed Gruffudd with a u. On the certificate it is Gruffydd. Can this be corrected?",
    answer: "We have told the General Register Office. Nothing more is needed from you.",
  },
  {
    category: "payment",
    subject: "Charged twice?",
    message: "My bank shows two payments of the same amount. One of them says pending.",
    answer: "One is the bank's reservation, which lapses within a few days. You were charged once.",
  },
  {
    category: "certificate",
    subject: "Apostille",
    message: "Does the certificate come with an apostille? I need it in Poland.",
    answer: "It does not. The Legalisation Office adds one to the certificate once you have it.",
  },
  {
    category: "cancellation",
    subject: "Please cancel",
    message: "My brother ordered the same one. Can you cancel mine?",
    answer: "We have cancelled it, and the whole amount is on its way back to your card.",
  },
  {
    category: "question",
    subject: "Saturday post",
    message: "Do certificates arrive on Saturdays? Diolch!",
    answer: "They come by ordinary first-class post, which is delivered on Saturdays too.",
  },
  {
    category: "serviceComplaint",
    subject: "No one called back",
    message: "I asked for a call on Monday and no one rang.",
    answer: "We are sorry. We do not have a telephone line, and should have said so at once.",
  },
  {
    category: "dataRequest",
    subject: "What do you hold about me?",
    message: "Please send me everything you hold about me.",
    answer: "A copy of everything we hold is attached to this conversation.",
  },
  {
    category: "dataProtectionComplaint",
    subject: "My data",
    message: "Why do you still have my address after my order has ended?",
    answer:
      "We keep it for twelve months for questions about your order, and then we erase it. You can ask us to do it sooner.",
  },
];

/** Stages of a conversation. */
const endings = ["new", "new", "assigned", "answered", "answered", "closed", "closed", "closed"] as const;

/** Plays one conversation, about one of the customer's orders or none. */
async function playTicketStory(
  system: SeedSystem,
  person: Person,
  random: () => number,
  orderNumber: string | null,
): Promise<void> {
  const { deps } = system;
  const { answer, ...question } = pick(random, questions);
  const name = `${person.forename} ${person.surname}`;
  const request = openTicketForm.parse({ name, email: person.email, ...question, orderNumber });
  const { ticket } = await openTicket(deps, request, null, undefined, seedCorrelation);
  const { ticketId } = ticket;
  const execute = (command: Parameters<typeof deps.tickets.execute>[0]["command"], behalf = byStaff(1)) =>
    deps.tickets.execute({ ticketId, commandId: deps.newId(), by: behalf, command });
  for (const { template, about } of (await deps.tickets.load(ticketId)).ticket.mails.owed)
    await execute(
      { type: "RecordTicketMail", data: { template, templateVersion: 1, about, result: "sent" } },
      by("system"),
    );
  const ending = pick(random, endings);
  if (ending === "new") return;
  system.pass(between(random, 600, 20_000));
  const staff = byStaff(between(random, 1, 2));
  await execute({ type: "AssignTicket", data: { assignee: staff.actor.id } }, staff);
  if (ending === "assigned") {
    await noteOnTicket(deps, {
      ticketId,
      text: "Asked the GRO by telephone; they ring back.",
      key: undefined,
      by: staff,
    });
    return;
  }
  system.pass(between(random, 300, 9_000));
  await replyToTicket(deps, { ticketId, text: answer, key: undefined, by: staff });
  for (const { template, about } of (await deps.tickets.load(ticketId)).ticket.mails.owed)
    await execute(
      { type: "RecordTicketMail", data: { template, templateVersion: 1, about, result: "sent" } },
      by("system"),
    );
  if (ending !== "closed") return;
  system.pass(between(random, 3_600, 40_000));
  await execute({ type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } }, staff);
}
