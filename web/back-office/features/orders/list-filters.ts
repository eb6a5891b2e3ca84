import { phases } from "../../../../domain/order/phases.ts";
import { workQueues } from "../../../../domain/order/staff/work-queues.ts";
import { orderStatuses, phaseWords } from "../../../../domain/order/status.ts";
import { optionsOf } from "../../../ui/select-field.tsx";
import type { Filter } from "../../ui/filter-chips.tsx";
import { queueWords } from "../../ui/queue-words.ts";

/** What the list can be narrowed by. */
export const listFilters: readonly Filter[] = [
  {
    name: "queue",
    label: "Waits for",
    choice: workQueues.map((queue) => ({ value: queue, words: queueWords[queue].title })),
  },
  { name: "status", label: "Status", choice: optionsOf(orderStatuses) },
  {
    name: "phase",
    label: "Phase",
    choice: phases.map((phase) => ({ value: phase, words: phaseWords(phase) })),
  },
  { name: "type", label: "Certificate", choice: optionsOf(["Birth", "Death", "Marriage", "Adoption"]) },
  {
    name: "service",
    label: "Service",
    choice: [
      { value: "standard", words: "Standard" },
      { value: "priority", words: "Priority" },
    ],
  },
];

/** The days it can be narrowed to. */
export const dayFilters: readonly Filter[] = [
  { name: "createdFrom", label: "Created from", choice: "day" },
  { name: "createdTo", label: "Created to", choice: "day" },
  { name: "paidFrom", label: "Paid from", choice: "day" },
  { name: "paidTo", label: "Paid to", choice: "day" },
];
