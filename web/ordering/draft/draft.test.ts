import { describe, expect, test } from "vitest";
import { certificateTypes } from "../../../domain/forms/options.ts";
import { draftAsked, draftIn, draftOf, emptyDraft } from "./draft.ts";

describe("a draft", () => {
  test("starts as a birth with no copies, for oneself, registered in England or Wales", () => {
    const draft = emptyDraft();
    expect(draft.certificateType).toBe("Birth");
    expect(draft.certificateOptions).toEqual({
      fullCertificates: 0,
      shortCertificates: 0,
      isPriority: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
    });
    expect(draft.personalDetails.address.country).toBe("United Kingdom");
    expect(draft.birth.birthCountry).toBe("England and Wales");
    expect(draft.birth.registrationLocation).toBe("England or Wales");
    expect(draft.birth.applyingForOwn).toBe("yes");
    expect(draft.total).toBe(0);
  });

  test("of an older page is for the customer, without a reference", () => {
    const { recipient: _, customerReference: __, ...personalDetails } = emptyDraft().personalDetails;
    const opened = draftIn(JSON.stringify({ ...emptyDraft(), personalDetails }));
    expect(opened?.personalDetails).toMatchObject({ recipient: { postTo: "me" }, customerReference: "" });
  });

  test("of a chosen type has one full copy and no short one", () => {
    const { certificateType, certificateOptions } = draftOf("Death");
    expect(certificateType).toBe("Death");
    expect(certificateOptions.fullCertificates).toBe(1);
    expect(certificateOptions.shortCertificates).toBe(0);
  });

  test("comes back from storage as it went in, half typed answers included", () => {
    const draft = { ...draftOf("Death"), signature: "Zoë" };
    draft.death.occupation = "Glöckn";
    expect(draftIn(JSON.stringify(draft))).toEqual(draft);
  });

  test("of an older page keeps what still fits, and starts the rest afresh", () => {
    const older = { ...draftOf("Birth"), certificateType: "Banns", step: 9, signature: "Jo" };
    expect(draftIn(JSON.stringify(older))).toMatchObject({
      certificateType: "Birth",
      step: 1,
      signature: "Jo",
    });
  });

  test("of a page that knew fewer forms keeps the ones it has", () => {
    const { marriage: _, adoption: __, ...older } = { ...draftOf("Death"), signature: "Jo" };
    older.death.occupation = "Weaver";
    const found = draftIn(JSON.stringify(older));
    expect(found?.death.occupation).toBe("Weaver");
    expect(found?.marriage.registrationLocation).toBe("England or Wales");
  });

  test.each([null, "", "not json", "7", "{}"])("is not found in %j", (stored) => {
    expect(draftIn(stored)).toBeUndefined();
  });
});

test.each(["Birth", "birth", "BIRTH", " bIrTh "])("%j starts a draft of a birth", (asked) => {
  expect(draftAsked(asked)?.certificateType).toBe("Birth");
});

test.each(certificateTypes)("%s starts afresh: 1 full copy, 0 short, standard, by post", (type) => {
  expect(draftAsked(type)).toEqual({
    ...emptyDraft(),
    certificateType: type,
    certificateOptions: {
      fullCertificates: 1,
      shortCertificates: 0,
      isPriority: false,
      serviceType: "Standard",
      deliveryMethod: "Post",
      apostille: false,
    },
  });
});

test.each(["", "banns", "birth certificate"])("%j asks for nothing", (asked) => {
  expect(draftAsked(asked)).toBeUndefined();
});
