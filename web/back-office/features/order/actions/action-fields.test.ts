import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AmountFields, refundBody } from "./action-fields.tsx";
import { contactBody } from "./contact-fields.tsx";

function typed(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const payment = {
  intentId: "pi_1",
  amountPence: 4500,
  unexpected: false,
  at: "2026-11-21T09:00:00.000Z",
  refundablePence: 4500,
  refunds: [],
  disputes: [],
};

describe("A refund", () => {
  it.each([
    ["45.00", 4500],
    ["£12.50", 1250],
    ["7", 700],
    ["", 0],
    ["lots", 0],
    ["1.005", 0],
  ])("of %j is %i pence", (amount, amountPence) => {
    expect(refundBody(typed({ amount }), { payments: [payment] })).toEqual({ intentId: "pi_1", amountPence });
  });

  it("is for the chosen payment, or the first refundable one", () => {
    const spent = { ...payment, intentId: "pi_0", refundablePence: 0 };
    const payments = [spent, payment, { ...payment, intentId: "pi_2" }];
    expect(refundBody(typed({ amount: "1" }), { payments }).intentId).toBe("pi_1");
    expect(refundBody(typed({ amount: "1", intentId: "pi_2" }), { payments }).intentId).toBe("pi_2");
  });
});

describe("The amount of a refund", () => {
  const fields = (...payments: (typeof payment)[]) =>
    renderToStaticMarkup(createElement(AmountFields, { payments }));

  it("is suggested in full for the only payment", () => {
    expect(fields(payment)).toContain('value="45.00"');
    expect(fields(payment)).toContain("Full refund: £45.00.");
  });

  it("is left to staff where there are several payments, each with its own limit", () => {
    const other = { ...payment, intentId: "pi_2", refundablePence: 1_000 };
    const html = fields(payment, other);
    expect(html).toContain("pi_2, £10.00 refundable");
    expect(html).not.toContain('value="45.00"');
    expect(html).not.toContain("Full refund");
  });
});

describe("A correction", () => {
  const known = {
    companyName: "",
    email: "sian@post.example",
    contactFullName: "Mrs Siân Rhys",
    contactAddress: {
      Address1: "1 Heol y Bont",
      Address2: "",
      Town: "Aberystwyth",
      County: "Ceredigion",
      Country: "United Kingdom",
      PostCode: "SY23 1AA",
    },
    contactPhone: { Daytime: "01970 000000", Evening: "" },
  };
  const { Country: _, ...address } = known.contactAddress;
  const asItWas = {
    email: known.email,
    contactFullName: known.contactFullName,
    ...address,
    ...known.contactPhone,
  };

  it("without changes is empty, revealed or not", () => {
    expect(contactBody(typed({}), null)).toEqual({ contact: {} });
    expect(contactBody(typed(asItWas), known)).toEqual({ contact: {} });
  });

  const recipient = {
    fullName: "Mair Evans",
    address: { ...known.contactAddress, Address1: "2 Stryd Fawr" },
  };
  const toRecipient = {
    postTo: "someone else",
    recipientFullName: "Mair Evans",
    recipientAddress1: "2 Stryd Fawr",
    recipientTown: "Aberystwyth",
    recipientCounty: "Ceredigion",
    recipientPostCode: "SY23 1AA",
  };

  it("gives, keeps and takes away the recipient", () => {
    expect(contactBody(typed(toRecipient), null)).toEqual({ contact: { recipient } });
    expect(contactBody(typed({ ...asItWas, ...toRecipient }), known)).toEqual({ contact: { recipient } });
    const posted = { ...known, recipient };
    expect(contactBody(typed({ ...asItWas, ...toRecipient }), posted)).toEqual({ contact: {} });
    const back = { contact: { recipient: null } };
    expect(contactBody(typed({ ...asItWas, postTo: "me" }), posted)).toEqual(back);
    expect(contactBody(typed({ postTo: "me" }), null)).toEqual(back);
    expect(contactBody(typed({ ...asItWas, postTo: "me" }), known)).toEqual({ contact: {} });
    expect(contactBody(typed({ postTo: "" }), null)).toEqual({ contact: {} });
  });

  it("gives, keeps and takes away the customer's own reference", () => {
    const reference = { customerReference: "SMITH/42" };
    expect(contactBody(typed(reference), null)).toEqual({ contact: reference });
    const referenced = { ...known, ...reference };
    expect(contactBody(typed({ ...asItWas, ...reference }), referenced)).toEqual({ contact: {} });
    expect(contactBody(typed(asItWas), referenced)).toEqual({ contact: { customerReference: "" } });
  });

  it("names the last name with its full name", () => {
    const name = { contactFullName: "Ms Mary Ann van der Berg", contactLastName: "van der Berg" };
    expect(contactBody(typed(name), null)).toEqual({ contact: name });
    expect(contactBody(typed({ ...asItWas, contactLastName: "Rhys" }), known)).toEqual({
      contact: { contactFullName: known.contactFullName, contactLastName: "Rhys" },
    });
    expect(contactBody(typed({ ...asItWas, ...name }), { ...known, ...name })).toEqual({ contact: {} });
  });

  it("keeps the phone that is left blank while not revealed, and can take away the evening phone once it is", () => {
    const both = { Daytime: "01970 222222", Evening: "01970 333333" };
    for (const phones of [{ Daytime: both.Daytime }, { Evening: both.Evening }, both]) {
      const entered = typed({ Daytime: "", Evening: "", ...phones });
      expect(contactBody(entered, null)).toEqual({ contact: { contactPhone: phones } });
    }
    const contactPhone = { ...both, Evening: "" };
    expect(contactBody(typed({ ...asItWas, ...contactPhone }), { ...known, contactPhone: both })).toEqual({
      contact: { contactPhone },
    });
  });

  it("contains only changes, and an address as a whole", () => {
    expect(contactBody(typed({ email: "new@post.example" }), null).contact).toEqual({
      email: "new@post.example",
    });
    expect(contactBody(typed({ ...asItWas, Town: "Borth" }), known).contact).toEqual({
      contactAddress: { ...known.contactAddress, Town: "Borth" },
    });
  });
});
