import type { Plant } from "./plant.ts";

/** In the product's own source, where it is loaded. */
export const productFaults: readonly Plant[] = [
  {
    name: "overtaken-correction",
    words:
      "a purge destroys what its order named when it was read, although a correction came before it began",
    finds: "of the contact are still there",
    changes: [
      {
        file: "services/policies/purging/purge.ts",
        from: "destroy(deps, owed, open),",
        to: "destroy(deps, owed, { ...open, records: open.records.filter(({ ref }) => namedByOrder(order).has(ref)) }),",
      },
    ],
  },
  {
    name: "whole-for-each",
    words: "each order of a checkout takes the whole payment for its own",
    finds: "and the log counts",
    changes: [
      {
        file: "services/orders/payments/provider-reports.ts",
        from: "return asked ? divide(amountPence, asked.shares) : [];",
        to: "return asked ? asked.shares.map((share) => ({ ...share, amountPence })) : [];",
      },
    ],
  },
  {
    name: "told-of-nothing",
    words: "a mail that is sent for several orders tells of one",
    finds: "no mail told of it",
    changes: [{ file: "services/policies/tasks/mail.ts", from: "together: others", to: "together: []" }],
  },
  {
    name: "told-again",
    words: "an order's event is told by every mail of its checkout that fits",
    finds: "is told by",
    changes: [
      {
        file: "domain/checkout/checkout.ts",
        from: "filter(({ about }) => !told.has(about))",
        to: "filter(({ about }) => told.size >= 0 || about)",
      },
      {
        file: "services/policies/tasks/shared-mail.ts",
        from: 'if (speaker.mails.sent.some(isIt)) return { kind: "told" };',
        to: "",
      },
    ],
  },
  {
    name: "no-unique-command",
    words: "a command that was executed is executed again",
    finds: "staff gave back",
    changes: [
      {
        file: "infra/commands/repeats.ts",
        from: "if (!done) return undefined;",
        to: "return undefined;",
      },
    ],
  },
  {
    name: "own-approval",
    words: "a refund is paid that was approved by the person who proposed it",
    finds: "was approved by the person who made it",
    changes: [
      {
        file: "domain/order/payment/decide-refunds.ts",
        from: 'actor.kind !== "staff" || actor.id === proposed.proposedBy',
        to: 'actor.kind !== "staff"',
      },
    ],
  },
  {
    name: "limit-by-parts",
    words: "what one person may give back is counted anew with each refund",
    finds: "given back without a second person",
    changes: [
      {
        file: "domain/order/payment/decide-refunds.ts",
        from: "givenByStaffPence(order) + amountPence > approvalAbovePence",
        to: "amountPence > approvalAbovePence",
      },
    ],
  },
  {
    name: "refund-during-dispute",
    words: "money is given back while a bank decides about the payment",
    finds: "money goes back while a bank decides",
    changes: [
      {
        file: "domain/order/payment/money.ts",
        from: "disputes.some(({ outcome }) => outcome === null);",
        to: "disputes.length < 0;",
      },
    ],
  },
  {
    name: "refund-while-unassigned",
    words: "money is given back while staff are to say whose a refund by hand is",
    finds: "money goes back while staff are to say",
    from: 195,
    changes: [
      {
        file: "domain/order/payment/money.ts",
        from: 'return unassignedRefunds(order).length > 0 ? "refund-unassigned" : undefined;',
        to: "return undefined;",
      },
    ],
  },
  {
    name: "assigned-twice",
    words: "a refund by hand is divided anew by whoever assigns it last",
    finds: "refunded by hand, and the log counts",
    changes: [
      {
        file: "domain/checkout/checkout.ts",
        from: "return earlier === totalOf(data.shares) ? [] :",
        to: "return earlier < 0 ? [] :",
      },
    ],
  },
  {
    name: "reply-during-purge",
    words: "a ticket takes a reply while its purge is under way",
    finds: "were purged at null",
    changes: [
      {
        file: "domain/ticket/decide.ts",
        from: 'isTicketGone(ticket) ? "Purged" : ticket.phase);',
        to: "ticket.phase);",
      },
    ],
  },
  {
    name: "ticket-mail-again",
    words: "a ticket's mail is still owed once it has left",
    finds: "mailed twice: ticket",
    changes: [
      {
        file: "domain/ticket/evolve.ts",
        from: "const mails = closeMail(ticket.mails, mail, result, at);",
        to: "const mails = { ...closeMail(ticket.mails, mail, result, at), owed: ticket.mails.owed };",
      },
    ],
  },
  {
    name: "dead-address-mailed",
    words: "mails go on to an address that takes none",
    finds: "left for an address whose mails come back",
    changes: [
      {
        file: "domain/mailbox.ts",
        from: 'if (isUnreachable(mails)) return "unreachable";',
        to: "",
      },
    ],
  },
  {
    name: "stopped-mail-owed",
    words: "a mail that is not sent stays owed",
    finds: "is due since",
    changes: [
      {
        file: "domain/mailbox.ts",
        from: "return owed !== undefined && stopOf(mails, owed, rules) === result;",
        to: "return false;",
      },
    ],
  },
  {
    name: "submitted-unconfirmed",
    words: "an order goes on although its confirmation came back",
    finds: "no confirmation has arrived",
    changes: [
      {
        file: "domain/order/mail-rules.ts",
        from: 'confirmation.state !== "sent" && submissions === 0;',
        to: 'confirmation.state !== "sent" && submissions < 0;',
      },
    ],
  },
  {
    name: "correction-sends-nothing",
    words: "a corrected address does not get what the earlier one missed",
    finds: "the corrected address did not get it",
    changes: [
      {
        file: "domain/mailbox.ts",
        from: ".filter((mail) => !isStopped(mail) && isTrue(mail))",
        to: ".filter((mail) => isStopped(mail) && isTrue(mail))",
      },
    ],
  },
  {
    name: "link-kept",
    words: "the key of a saved draft's link stays once its mail has left",
    finds: "the key of its link is still there",
    changes: [
      {
        file: "domain/saved-draft/state.ts",
        from: "linkRef === null || mailedAt === null",
        to: "true",
      },
    ],
  },
  {
    name: "draft-forgotten",
    words: "a saved draft can be opened once its order is paid for",
    finds: "it can be opened, and its order",
    changes: [
      {
        file: "services/policies/tasks/simple-tasks.ts",
        from: "if (!(await deps.drafts.find(draftId))) continue;",
        to: "continue;",
      },
    ],
  },
  {
    name: "zeroed-in-use",
    words: "a key is zeroed although the append that stores its record was written",
    finds: "needed, and gone",
    changes: [
      {
        file: "infra/commands/append.ts",
        from: "if (mayBeNamed) await written();\n        else",
        to: "await written();\n       ",
      },
    ],
  },
  {
    name: "unfenced",
    words: "a worker sends without asking whether its heartbeat is fresh",
    finds: "mailed twice",
    changes: [
      {
        file: "services/policies/work/engine.ts",
        from: "await this.#lease.confirm(worker);",
        to: "",
      },
    ],
  },
  {
    name: "dead-too-soon",
    words: "a worker is taken for dead after three seconds without a heartbeat",
    finds: "mailed twice",
    changes: [
      {
        file: "services/policies/work/worker-lease.ts",
        from: "const deadAfterMs = 8_000;",
        to: "const deadAfterMs = 3_000;",
      },
    ],
  },
  {
    name: "clock-set",
    words: "the workers' clock is set with the database's",
    finds: "mailed twice",
    changes: [
      {
        file: "testing/services/memory-work-table.ts",
        from: "passedMs >= 0 && passedMs <= mostMs ? passedMs : mostMs",
        to: "passedMs",
      },
    ],
  },
  {
    name: "taken-while-owned",
    words: "a worker takes what is due, also from others that live",
    finds: "mailed twice",
    changes: [
      {
        file: "testing/services/memory-work-table.ts",
        from: "owner === null && dueMs <= at.getTime()",
        to: "owner !== worker && dueMs <= at.getTime()",
      },
    ],
  },
  {
    name: "begun-before-the-commit",
    words: "a worker begins what a batch takes, also if that is rolled back",
    finds: "mailed twice",
    changes: [
      {
        file: "services/policies/following/follow-tasks.ts",
        from: "batch.ended(isCommitted ? claims : [])",
        to: "batch.ended(claims)",
      },
    ],
  },
  {
    name: "begun-again",
    words: "a look begins tasks that are under way",
    finds: "mailed twice",
    changes: [
      {
        file: "services/policies/work/subject-worker.ts",
        from: "if (this.#running.has(name) || !this.#mayBegin(task, at) || this.#mustEnd()) continue;",
        to: "if (!this.#mayBegin(task, at) || this.#mustEnd()) continue;",
      },
    ],
  },
  {
    name: "sent-again",
    words: "a mail whose record failed is sent again",
    finds: "mailed twice",
    changes: [
      {
        file: "services/policies/work/task-attempt.ts",
        from: "if (!this.#hasLeft) await mailer.send(mail);",
        to: "await mailer.send(mail);",
      },
    ],
  },
];
