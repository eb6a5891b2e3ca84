import { choice, optional, yesOrNo } from "../forms/answers.ts";
import { registrationLocations } from "../forms/options.ts";
import type { FieldTable } from "./certificate.ts";

/** What every form asks about the entry in the register. */

export const location = {
  registrationLocation: {
    label: "Registration location",
    rule: choice(registrationLocations, "Registration location is required"),
    part: "eventDetails",
    key: "EventRegistrationLocation",
    printed: "Registered in",
    start: registrationLocations[0],
  },
} as const satisfies FieldTable;

export const reference = {
  groReferenceKnown: {
    label: "Do you know the GRO Reference Number?",
    hint: "You’ll find it in the GRO index. It speeds up the search. You can order without it.",
    rule: yesOrNo("Please select Yes or No"),
    answeredBy: "yes or no",
    part: "eventDetails",
    key: "GROReferenceKnown",
    printed: "GRO reference known",
  },
  groReference: {
    label: "GRO reference",
    hint: "Enter it as written. Leave it blank if you don’t have it to hand.",
    optional: true,
    rule: optional(),
    part: "application",
    key: "gro",
    printed: "GRO index reference",
  },
} as const satisfies FieldTable;
