import { expect, it } from "vitest";
import { currentOf } from "./basket.ts";
import { type DraftCertificate, draftOf } from "./draft.ts";
import { knownAnswers } from "./known-answers.ts";

const birth = (changes: Partial<DraftCertificate["birth"]>): DraftCertificate => {
  const certificate = currentOf(draftOf("Birth"));
  return { ...certificate, birth: { ...certificate.birth, ...changes } };
};
const death = (changes: Partial<DraftCertificate["death"]>): DraftCertificate => {
  const certificate = currentOf(draftOf("Death"));
  return { ...certificate, death: { ...certificate.death, ...changes } };
};
const parents = ["fatherSurname", "fatherForenames", "motherForenames", "motherSurname"] as const;

it("finds the parents of a birth for a death, but what is not known", () => {
  const anwen = birth({
    fatherSurname: "I don't know",
    fatherForename: " Huw ",
    motherForename: "Mair",
    motherMaidenName: "Prydderch",
  });
  expect(knownAnswers([anwen], parents)).toEqual([
    {
      certificate: anwen,
      answers: [
        { name: "fatherForenames", answer: "Huw" },
        { name: "motherForenames", answer: "Mair" },
      ],
    },
  ]);
});

it("finds the same surname once, and another as well", () => {
  const others = [
    birth({ surnameAtBirth: "Llywelyn" }),
    death({ deceasedSurname: "Llywelyn" }),
    death({ deceasedSurname: "Rhys" }),
  ];
  const found = knownAnswers(others, ["surnameAtBirth"]);
  expect(found.map(({ answers }) => answers[0]?.answer)).toEqual(["Llywelyn", "Rhys"]);
});

it("finds nothing on certificates that do not ask, or were not answered", () => {
  const married = currentOf(draftOf("Marriage"));
  expect(knownAnswers([married, birth({}), death({})], parents)).toEqual([]);
  // What was typed into the form of another type before is not part of the certificate.
  expect(knownAnswers([{ ...death({}), birth: birth({ motherForename: "Mair" }).birth }], parents)).toEqual(
    [],
  );
});
