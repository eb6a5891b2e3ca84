import { describe, expect, it } from "vitest";
import {
  adoption,
  birth,
  death,
  marriage,
  person,
  recipient,
  today,
} from "../../testing/domain/form-fixture.ts";
import { adoptionDetailsSchema } from "../certificates/adoption.ts";
import { birthDetailsSchema } from "../certificates/birth.ts";
import { deathDetailsSchema } from "../certificates/death.ts";
import { marriageDetailsSchema } from "../certificates/marriage.ts";
import { orderPayloadOf, variantPayloadOf } from "./order-payload.ts";
import { personalDetailsSchema } from "./personal-details.ts";

/** Section 3 of the commission, key by key: what the browser sends is golden. */

const customer = personalDetailsSchema.parse(person);
const choice = {
  fullCopies: 2,
  shortCopies: 1,
  isPriority: true,
  totalPence: 15_000,
  reference: "REF-2026-7",
};

describe("what the browser sends", () => {
  it("creates an order with address and phone as JSON in a string, and pounds", () => {
    expect(
      orderPayloadOf(customer, 15_000, { signature: "Siân Ó Briain", termsVersion: 1, consentVersion: 2 }),
    ).toEqual({
      companyName: "",
      email: "sian@example.org",
      contactFullName: "Dr Siân Ó Briain",
      contactLastName: "Ó Briain",
      contactAddress:
        '{"Address1":"1 High Pavement","Address2":"","Town":"Nottingham","County":"Nottinghamshire","Country":"United Kingdom","PostCode":"NG1 1HN"}',
      contactPhone: '{"Daytime":"0115 496 0000","Evening":""}',
      totalAmount: 150,
      signature: "Siân Ó Briain",
      termsVersion: 1,
      consentVersion: 2,
    });
  });

  it("adds recipient and reference where they are given", () => {
    const given = personalDetailsSchema.parse({ ...person, recipient, customerReference: "SMITH/42" });
    const consents = { signature: "Siân Ó Briain", termsVersion: 1, consentVersion: 2 };
    expect(orderPayloadOf(given, 15_000, consents)).toEqual({
      ...orderPayloadOf(customer, 15_000, consents),
      recipient: {
        fullName: "Mair Evans",
        address: {
          Address1: "2 Stryd Fawr",
          Address2: "",
          Town: "Bangor",
          County: "Gwynedd",
          Country: "United Kingdom",
          PostCode: "LL57 1AA",
        },
      },
      customerReference: "SMITH/42",
    });
  });

  it("describes a birth in exactly section 3's keys", () => {
    expect(variantPayloadOf(customer, "Birth", birthDetailsSchema(today).parse(birth), choice)).toEqual({
      certificateType: "Birth",
      customerFirstName: "Siân",
      customerLastName: "Ó Briain",
      gender: "Female",
      eventDetails: {
        EventRegistrationLocation: "England or Wales",
        EventType: "Birth",
        YearRegistered: 1952,
        GROReferenceKnown: true,
      },
      certificateDetails: {
        BirthCountry: "England and Wales",
        PlaceOfBirth: "Nottingham",
        SurnameAtBirth: "Briain",
        ForenamesAtBirth: "Siân Mair",
        gender: "Female",
        DateOfBirth: { Day: 29, Month: "February", Year: 1952 },
        FatherSurname: "",
        FatherForename: "",
        MotherForename: "Mair",
        MotherMaidenName: "Evans",
        MotherSurname: "Briain",
        NumberOfCopies: 3,
      },
      gro: "1952 M Nottingham 3c 412",
      reference: "REF-2026-7",
      priorityDispatch: true,
      fullCertificateQty: 2,
      shortCertificateQty: 1,
      applyingForOwn: true,
      adopted: false,
      serviceType: "Express",
      deliveryMethod: "Post",
      apostille: false,
      amount: 150,
    });
  });

  it("describes a death in exactly section 3's keys, its parents' forenames under both names", () => {
    const standard = { ...choice, fullCopies: 1, shortCopies: 0, isPriority: false, totalPence: 4500 };
    expect(variantPayloadOf(customer, "Death", deathDetailsSchema(today).parse(death), standard)).toEqual({
      certificateType: "Death",
      customerFirstName: "Siân",
      customerLastName: "Ó Briain",
      gender: "Female",
      eventDetails: {
        EventRegistrationLocation: "England or Wales",
        EventType: "Death",
        GROReferenceKnown: false,
      },
      certificateDetails: {
        DeceasedName: "Owen Evans",
        DeathSurname: "Evans",
        DeathForename: "Owen",
        DateOfDeath: { Day: 31, Month: "December", Year: 1999 },
        PlaceOfDeath: "Cardiff",
        AgeAtDeath: 84,
        MotherForename: "Gwen",
        MotherForenames: "Gwen",
        MotherSurname: "Evans",
        FatherForename: "Dafydd",
        FatherForenames: "Dafydd",
        FatherSurname: "Evans",
        Occupation: "Schoolteacher",
        MaritalStatus: "Widowed",
        gender: "Female",
        NumberOfCopies: 1,
      },
      gro: "",
      reference: "REF-2026-7",
      priorityDispatch: false,
      fullCertificateQty: 1,
      shortCertificateQty: 0,
      applyingForOwn: false,
      adopted: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
      amount: 45,
    });
  });

  it("describes a marriage by both spouses, without a gender", () => {
    expect(
      variantPayloadOf(customer, "Marriage", marriageDetailsSchema(today).parse(marriage), choice),
    ).toEqual({
      certificateType: "Marriage",
      customerFirstName: "Siân",
      customerLastName: "Ó Briain",
      gender: "",
      eventDetails: {
        EventRegistrationLocation: "England or Wales",
        EventType: "Marriage",
        GROReferenceKnown: true,
      },
      certificateDetails: {
        Spouse1Surname: "Evans",
        Spouse1Forenames: "Dafydd",
        Spouse2Surname: "Ó Briain",
        Spouse2Forenames: "Gwen Mair",
        DateOfMarriage: { Day: 14, Month: "June", Year: 1941 },
        PlaceOfMarriage: "St Mary's, Nottingham",
        RegistrationDistrict: "Nottingham",
        NumberOfCopies: 3,
      },
      gro: "1941 J Nottingham 7b 1020",
      reference: "REF-2026-7",
      priorityDispatch: true,
      fullCertificateQty: 2,
      shortCertificateQty: 1,
      applyingForOwn: false,
      adopted: false,
      serviceType: "Express",
      deliveryMethod: "Post",
      apostille: false,
      amount: 150,
    });
  });

  it("describes an adoption by its adoptive names, and its order where that is known", () => {
    const payload = variantPayloadOf(
      customer,
      "Adoption",
      adoptionDetailsSchema(today).parse(adoption),
      choice,
    );
    expect(payload).toEqual({
      certificateType: "Adoption",
      customerFirstName: "Siân",
      customerLastName: "Ó Briain",
      gender: "Female",
      eventDetails: {
        EventRegistrationLocation: "England or Wales",
        EventType: "Adoption",
        GROReferenceKnown: false,
      },
      certificateDetails: {
        AdoptiveSurname: "Llŷr",
        AdoptiveForenames: "Anwen Mair",
        gender: "Female",
        DateOfBirth: { Day: 2, Month: "May", Year: 1961 },
        AdoptiveParent1Surname: "Llŷr",
        AdoptiveParent1Forenames: "Mair",
        AdoptiveParent2Surname: "Rhys",
        AdoptiveParent2Forenames: "Ifan",
        DateOfOrder: { Day: 9, Month: "February", Year: 1962 },
        Court: "Cardigan County Court",
        NumberOfCopies: 3,
      },
      gro: "",
      reference: "REF-2026-7",
      priorityDispatch: true,
      fullCertificateQty: 2,
      shortCertificateQty: 1,
      applyingForOwn: false,
      adopted: true,
      serviceType: "Express",
      deliveryMethod: "Post",
      apostille: false,
      amount: 150,
    });
    const unknown = adoptionDetailsSchema(today).parse({ ...adoption, dateOfOrder: undefined, court: "" });
    expect(variantPayloadOf(customer, "Adoption", unknown, choice).certificateDetails).toMatchObject({
      DateOfOrder: { Day: null, Month: null, Year: null },
      Court: "",
    });
  });

  it("leaves out a man's marital status, and a reference that is not known", () => {
    const man = deathDetailsSchema(today).parse({ ...death, gender: "Male" });
    expect(variantPayloadOf(customer, "Death", man, choice).certificateDetails.MaritalStatus).toBe("");
    const unsure = birthDetailsSchema(today).parse({ ...birth, groReferenceKnown: "no" });
    expect(variantPayloadOf(customer, "Birth", unsure, choice).gro).toBe("");
  });
});
