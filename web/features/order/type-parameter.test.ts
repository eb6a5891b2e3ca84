import { expect, test } from "vitest";
import { certificateTypes } from "../../../domain/forms/options.ts";
import { emptyDraft } from "../../ordering/draft/draft.ts";
import { draftAsked } from "./type-parameter.ts";

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
