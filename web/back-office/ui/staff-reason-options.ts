import type { SelectOption } from "../../ui/select-field.tsx";

/** Why somebody who works here does something: the closed list that events know, in words. */
export const staffReasonOptions: readonly SelectOption[] = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "detailsWrong", words: "Details were wrong" },
  { value: "groPhoned", words: "The GRO phoned" },
  { value: "groWrote", words: "The GRO wrote" },
  { value: "groWebsite", words: "Seen on the GRO's website" },
  { value: "automationDown", words: "The automation service was down" },
  { value: "complaint", words: "Complaint" },
  { value: "goodwill", words: "Goodwill" },
  { value: "ourMistake", words: "Our mistake" },
  { value: "suspectedFraud", words: "Suspected fraud" },
  { value: "lawRequires", words: "The law requires it" },
  { value: "other", words: "Something else (say it in the note)" },
];
