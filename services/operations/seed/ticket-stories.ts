import { openTicketRequest } from "../../../contract/tickets/conversation.ts";
import type { TicketCategory } from "../../../domain/ticket/vocabulary.ts";
import { noteOnTicket, openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";
import type { Person } from "./people.ts";
import { by, byStaff, type SeedSystem, seedCorrelation } from "./seed-system.ts";
import { between, pick } from "./seeded-random.ts";

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
    answer: "Your account of everything is attached to this conversation.",
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
export async function playTicketStory(
  system: SeedSystem,
  person: Person,
  random: () => number,
  orderNumber: string | null,
): Promise<void> {
  const { deps } = system;
  const { answer, ...question } = pick(random, questions);
  const name = `${person.forename} ${person.surname}`;
  const request = openTicketRequest.parse({ name, email: person.email, ...question, orderNumber });
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
