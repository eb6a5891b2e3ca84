import { between, pick } from "./seeded-random.ts";

/**
 * Invented people. Names from fixed lists, addresses in real towns with invented streets, and email addresses that
 * cannot exist.
 */
export type Person = {
  readonly forename: string;
  readonly surname: string;
  readonly email: string;
  readonly street: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
  readonly telephone: string;
};

const peoples: readonly { readonly forenames: readonly string[]; readonly surnames: readonly string[] }[] = [
  {
    forenames: ["Siân", "Gwen", "Llŷr", "Dafydd", "Cerys", "Rhodri", "Mair", "Owain", "Nerys", "Tomos"],
    surnames: ["Rhys", "Prydderch", "Llywelyn", "Bevan", "Gruffydd", "Pugh", "Ellis-Wyn", "Madog"],
  },
  {
    forenames: ["Ada", "George", "Hannah", "Noor", "Priya", "Edith", "Samuel", "Joan", "Marcus", "Imogen"],
    surnames: ["Ashworth", "Okafor", "Whitlock", "Patel", "Hargreaves", "Lowther", "Bassi", "St. Clair"],
  },
  {
    forenames: ["Zofia", "Łukasz", "Małgorzata", "Wojciech", "Żaneta", "Paweł", "Iwona", "Kacper"],
    surnames: ["Wójcik", "Kowalczyk", "Zieliński", "Dąbrowska", "Szymańska", "Nowak-Lis", "Mazur"],
  },
];

const places: readonly (readonly [town: string, county: string, district: string])[] = [
  ["Aberystwyth", "Ceredigion", "SY23"],
  ["Cardiff", "South Glamorgan", "CF10"],
  ["Bangor", "Gwynedd", "LL57"],
  ["Leeds", "West Yorkshire", "LS6"],
  ["Norwich", "Norfolk", "NR2"],
  ["Truro", "Cornwall", "TR1"],
  ["Manchester", "Greater Manchester", "M14"],
  ["Ealing", "London", "W5"],
];

const streets: readonly string[] = [
  "Heol y Bont",
  "Chapel Row",
  "Station Road",
  "Stryd Fawr",
  "Mill Lane",
  "Orchard Close",
];

const plain = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/ł/g, "l")
    .replace(/Ł/g, "L")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();

export function personOf(random: () => number, nth: number): Person {
  const people = pick(random, peoples);
  const forename = pick(random, people.forenames);
  const surname = pick(random, people.surnames);
  const [town, county, district] = pick(random, places);
  const letters = "ABDEFGHJLNPQRSTUWXYZ";
  const inward = `${between(random, 1, 9)}${letters[between(random, 0, 19)]}${letters[between(random, 0, 19)]}`;
  return {
    forename,
    surname,
    // A tenth return: they order again, or write to us.
    email: `${plain(forename)}.${plain(surname)}${nth % 10 === 0 ? "" : nth}@post.example`,
    street: `${between(random, 1, 180)} ${pick(random, streets)}`,
    town,
    county,
    postcode: `${district} ${inward}`,
    // Ofcom reserves these numbers for fiction.
    telephone: `01632 960${String(between(random, 0, 999)).padStart(3, "0")}`,
  };
}
