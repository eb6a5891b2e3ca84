import { expect, it } from "vitest";
import { type Findable, type TermKind, termsOf, typedTerm } from "./index-terms.ts";

const person = (changes: Partial<Findable>): Findable => ({ email: "a@b.example", name: "A B", ...changes });
const surnamesOf = (name: string) =>
  termsOf(person({ name })).flatMap(({ kind, text }) => (kind === "surname" ? [text] : []));

it.each<[name: string, found: string[]]>([
  ["Mrs Siân Rhys", ["Rhys", "RHYS", " rhys ", "Siân Rhys", "sian rhys", "Mrs Sian Rhys"]],
  ["Dr Siân ap Rhys", ["ap Rhys", "Rhys", "AP-RHYS"]],
  ["Ms Anna Smith-Jones", ["Smith-Jones", "Smith Jones", "smithjones", "Jones"]],
  ["Mr Sean O’Brien", ["O'Brien", "OBrien", "O´Brien", "o‘brien"]],
  ["Miss Ewa Łukaszewicz-Żółć", ["Lukaszewicz Zolc", "ŁUKASZEWICZ-ŻÓŁĆ", "Zolc"]],
  ["Mr Jürgen Strauß", ["Strauß", "STRAUSS"]],
  ["Prof Ægir Þórsson", ["Thorsson", "ÞÓRSSON"]],
  ["Cher", ["cher", "CHER"]],
  ["Mr", ["mr"]],
])("finds %s under each spelling of the surname", (name, found) => {
  for (const typed of found) expect(surnamesOf(name)).toContain(typedTerm("surname", typed)?.text);
});

it.each<[name: string, lost: string[]]>([
  ["Mrs Siân Rhys", ["Siân", "Mrs", "R", "Rhy"]],
  ["Ms Anna Smith-Jones", ["Anna", "Smith"]],
])("does not find %s under a forename, a title or a part of a word", (name, lost) => {
  for (const typed of lost) expect(surnamesOf(name)).not.toContain(typedTerm("surname", typed)?.text);
});

it("keeps at most five endings of a name, however many words it has", () => {
  expect(surnamesOf("Pablo Diego José Francisco de Paula Juan Picasso")).toEqual([
    "franciscodepaulajuanpicasso",
    "depaulajuanpicasso",
    "paulajuanpicasso",
    "juanpicasso",
    "picasso",
  ]);
});

it("ignores only case and outer spaces in email addresses: dots and plus signs may mean another mailbox", () => {
  const emailOf = (email: string) => termsOf(person({ email })).find(({ kind }) => kind === "email")?.text;
  expect(emailOf(" Jo.Rhys+Cert@Mail.Example ")).toBe(typedTerm("email", "jo.rhys+cert@mail.example")?.text);
  for (const other of ["jorhys+cert@mail.example", "jo.rhys@mail.example", "jo.rhys+cert@mail.example.org"])
    expect(typedTerm("email", other)?.text).not.toBe(emailOf("jo.rhys+cert@mail.example"));
});

it("compares postcodes by letters and digits", () => {
  const [, , postcode] = termsOf(person({ name: "Rhys", postcode: "cf10 1aa" }));
  for (const typed of ["CF101AA", " cf10-1aa ", "C F 1 0 1 A A"]) {
    expect(typedTerm("postcode", typed)).toEqual(postcode);
  }
  expect(termsOf(person({})).map(({ kind }) => kind)).not.toContain("postcode");
});

it.each<TermKind>(["email", "surname", "postcode"])("finds no one by an empty %s", (kind) => {
  expect(typedTerm(kind, "  ")).toBeUndefined();
});
