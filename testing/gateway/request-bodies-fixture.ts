import { randomBytes } from "node:crypto";

/** Bodies as posted by the wizard (section 7), for tests to vary. */

export const orderBody = (changes: Record<string, unknown> = {}) => ({
  companyName: "",
  email: "sian.rhys@post.example",
  contactFullName: "Mrs Siân Rhys",
  contactAddress: JSON.stringify({
    Address1: "1 Heol y Bont",
    Address2: "",
    Town: "Aberystwyth",
    County: "Ceredigion",
    Country: "United Kingdom",
    PostCode: "SY23 1AA",
  }),
  contactPhone: JSON.stringify({ Daytime: "01970 000000", Evening: "" }),
  totalAmount: 45,
  signature: "Siân Rhys",
  termsVersion: 2,
  consentVersion: 1,
  ...changes,
});

export const variantBody = (changes: Record<string, unknown> = {}) => ({
  certificateType: "Birth",
  customerFirstName: "Siân",
  customerLastName: "Rhys",
  gender: "Female",
  eventDetails: {
    EventRegistrationLocation: "England or Wales",
    EventType: "Birth",
    YearRegistered: 1970,
    GROReferenceKnown: false,
  },
  certificateDetails: {
    BirthCountry: "England and Wales",
    PlaceOfBirth: "Aberystwyth",
    SurnameAtBirth: "Llywelyn",
    ForenamesAtBirth: "Siân",
    gender: "Female",
    DateOfBirth: { Day: 1, Month: "March", Year: 1970 },
    FatherSurname: "",
    FatherForename: "",
    MotherForename: "Mair",
    MotherMaidenName: "Prydderch",
    MotherSurname: "Llywelyn",
    NumberOfCopies: 1,
  },
  gro: "",
  reference: "REF-2026-1",
  priorityDispatch: false,
  fullCertificateQty: 1,
  shortCertificateQty: 0,
  applyingForOwn: true,
  adopted: false,
  serviceType: "Standard",
  deliveryMethod: "Post",
  apostille: false,
  amount: 45,
  ...changes,
});

/** POST /api/tickets. */
export const ticketBody = (changes: Record<string, unknown> = {}) => ({
  name: "Siân Rhys",
  email: "sian.rhys@post.example",
  category: "question",
  subject: "Weekend post",
  message: "Do certificates arrive on Saturdays?\nDiolch!",
  ...changes,
});

/** Credentials of a ticket that does not exist. */
export const unknownTicket = { ticketNumber: "T-0000-0000-00000", email: "sian.rhys@post.example" };

/** The key of a link to a saved order, as a browser makes it. */
export const newDraftKey = (): string => randomBytes(32).toString("base64url");

/** POST /api/drafts: a birth, left in step 3. */
export const draftBody = (changes: Record<string, unknown> = {}) => ({
  email: "sian.rhys@post.example",
  key: newDraftKey(),
  replaces: [],
  draft: {
    certificateType: "Birth",
    certificateOptions: {
      fullCertificates: 2,
      shortCertificates: 0,
      isPriority: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
    },
    personalDetails: {
      title: "Mrs",
      firstName: "Siân",
      lastName: "Rhys",
      companyName: "",
      email: "sian.rhys@post.example",
      confirmEmail: "sian.rhys@post.example",
      address: {
        line1: "1 Heol y Bont",
        line2: "",
        town: "Aberystwyth",
        county: "Ceredigion",
        postcode: "SY23 1AA",
        country: "United Kingdom",
      },
      phone: { daytime: "01970 000000", evening: "" },
    },
    step: 3,
  },
  ...changes,
});
