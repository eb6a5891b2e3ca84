import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import {
  orderBodyOf,
  type Person,
  variantBodyOf,
  type Wish,
} from "../../services/operations/seed/seeded-requests.ts";
import { draftBody, ticketBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { byteNeedles, type Needle, textNeedles } from "../../testing/vault/raw-scan.ts";
import type { Sought } from "./scanner.ts";

/** One who types only words that occur nowhere else, so that each can be told wherever it is found. */
export type Recognisable = {
  readonly nth: number;
  readonly bodies: {
    readonly order: ReturnType<typeof orderBodyOf>;
    /** One for each certificate. */
    readonly variants: readonly object[];
    readonly draft: ReturnType<typeof draftBody>;
    readonly ticket: ReturnType<typeof ticketBody>;
  };
  /** An email of the person's, as it comes in, with a file. */
  readonly mail: Buffer;
  /** Bytes in that file. */
  readonly file: Buffer;
  /** Sent to the GRO: in the applications alone, and from the contact record. */
  readonly sent: { readonly application: readonly string[]; readonly contact: readonly string[] };
  /** What the GRO asks, in a word of this person's. */
  readonly question: string;
  /** Every word that this person types anywhere, or is asked. */
  readonly words: readonly string[];
};

const types = ["Birth", "Death", "Marriage"] as const;
const typeOf = (nth: number) => types[nth % types.length] ?? "Birth";

/** Every fourth person pays for two certificates at once. */
const certificatesOf = (nth: number) => (nth % 4 === 2 ? [typeOf(nth), typeOf(nth + 1)] : [typeOf(nth)]);

/** The words of every invented life, replaced by one's own. */
const common: ReadonlySet<unknown> = new Set(["Idris", "Anwen", "Prosser", "Slate worker", "Not stated"]);

/** The nth person of a seed. */
export function recognisable(seed: number, nth: number): Recognisable {
  const random = seededRandom(seed * 1_000_003 + nth);
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
  // The letter with an accent makes each encoding of it another.
  const word = () => `${letters(1).toUpperCase()}${letters(5)}ŵ${letters(5)}`;
  const person: Person = personOf(word, letters, nth);
  const recipient: Person = personOf(word, letters, nth + 1_800);
  const wish: Wish = {
    ...{ certificateType: typeOf(nth), serviceLevel: "standard", copies: 1, groReferenceKnown: false },
    totalPence: 4_500,
    ...(nth % 4 === 3 && { recipient }),
    customerReference: word(),
  };
  const own: string[] = [];
  const ownWord = () => {
    own.push(word());
    return own.at(-1) ?? "";
  };
  const variants = certificatesOf(nth).map((certificateType) =>
    withOwnWords(variantBodyOf(person, { ...wish, certificateType }), ownWord),
  );
  const [draftWord, subject, message, question, deceased] = [word(), word(), word(), word(), word()];
  const [fileName, inFile] = [word(), word()];
  const [mailSubject, mailText, mailFile, messageId] = [word(), word(), word(), letters(20)];
  const file = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)));
  const draft = draftBody();
  const { personalDetails, others } = draft.draft;
  const ofRecipient = wish.recipient ? wordsOf(recipient) : [];
  const postedTo = wish.recipient ?? person;
  return {
    nth,
    bodies: {
      order: orderBodyOf(person, wish),
      variants,
      draft: {
        ...draft,
        email: person.email,
        draft: {
          ...draft.draft,
          others: others.map((other) => ({ ...other, death: { ...other.death, deceasedSurname: deceased } })),
          personalDetails: {
            ...personalDetails,
            firstName: person.forename,
            lastName: person.surname,
            companyName: draftWord,
            email: person.email,
            confirmEmail: person.email,
          },
        },
      },
      ticket: ticketBody({
        name: `${person.forename} ${person.surname}`,
        email: person.email,
        subject: `About ${subject}`,
        message: `Dear all,\nI am ${message} ${person.surname}.`,
        attachments: [
          { name: `${fileName}.txt`, content: Buffer.from(`Dear all,\n${inFile}`).toString("base64") },
        ],
      }),
    },
    mail: Buffer.from(
      [
        ...[
          `From: ${person.email}`,
          "To: help@certificates.example",
          `Message-ID: <${messageId}@post.example>`,
        ],
        ...[
          `Subject: About ${mailSubject}`,
          "MIME-Version: 1.0",
          "Content-Type: multipart/mixed; boundary=part",
          "",
        ],
        ...["--part", "Content-Type: text/plain; charset=utf-8", "", `Dear all,\r\nI am ${mailText}.`],
        ...["--part", "Content-Type: application/pdf", "Content-Transfer-Encoding: base64"],
        ...[`Content-Disposition: attachment; filename="${mailFile}.pdf"`, ""],
        ...[Buffer.concat([Buffer.from("%PDF-1.7\n"), file]).toString("base64"), "--part--", ""],
      ].join("\r\n"),
    ),
    file,
    sent: {
      application: own,
      contact: [person.forename, person.surname, postedTo.street, postedTo.postcode],
    },
    question: `Which of these:\n${question}?`,
    words: [
      ...wordsOf(person),
      ...ofRecipient,
      ...own,
      ...[draftWord, deceased, subject, message, question, fileName, inFile, wish.customerReference ?? ""],
      ...[mailSubject, mailText, mailFile, messageId],
    ],
  };
}

function personOf(word: () => string, letters: (count: number) => string, nth: number): Person {
  const inward = `${1 + (Math.floor(nth / 400) % 9)}${String.fromCharCode(65 + (Math.floor(nth / 20) % 20))}${String.fromCharCode(65 + (nth % 20))}`;
  return {
    forename: word(),
    surname: word(),
    email: `${letters(14)}@post.example`,
    street: `${1 + (nth % 99)} ${word()} Row`,
    town: word(),
    county: word(),
    // No such district exists.
    postcode: `ZZ99 ${inward}`,
    telephone: `01632 960${String(nth).padStart(6, "0")}`,
  };
}

const wordsOf = ({ forename, surname, email, street, town, county, postcode, telephone }: Person) => [
  ...[forename, surname, email, street, town, county, postcode, telephone],
  email.split("@")[0] ?? "",
  street.split(" ")[1] ?? "",
];

/** A body with each common word replaced by one of the person's own. */
const withOwnWords = (body: object, word: () => string): object =>
  Object.fromEntries(Object.entries(body).map(([key, each]) => [key, withOwn(each, word)]));

function withOwn(value: unknown, word: () => string): unknown {
  if (common.has(value)) return word();
  return typeof value === "object" && value !== null ? withOwnWords(value, word) : value;
}

/** Each word of a person, in every way that it may be written, as typed and as a search would compare it; and the file. */
export const soughtOf = ({ nth, words, file }: Recognisable): Sought[] => [
  ...[...new Set(words)].map((word) => ({ of: nameOf(nth, word), needles: needlesOf(word) })),
  { of: `the file of person ${nth}`, needles: byteNeedles(file) },
];

export const nameOf = (nth: number, word: string): string => `"${word}" of person ${nth}`;

function needlesOf(word: string): Needle[] {
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "");
  const forms = [
    word,
    word.toLowerCase(),
    word.toUpperCase(),
    plain,
    plain.toLowerCase(),
    plain.toUpperCase(),
  ];
  const all = [...forms, ...forms.map((form) => form.replaceAll(" ", ""))];
  return [...new Set(all)].flatMap(textNeedles);
}
