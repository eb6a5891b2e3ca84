import { missingAfterWorkingDays, postWords } from "../../domain/promise/timetable.ts";
import type { KeptAnswer } from "./settings.ts";

/** The answers to begin with. Their ids never change: a change of one names it by its id. */
export const firstAnswers: readonly KeptAnswer[] = [
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0001",
    title: "Where is my order?",
    text: `Dear {{customerName}},

Your order {{orderNumber}} is {{status}}. The General Register Office is expected to despatch it by {{expectedDespatch}}; after that the post usually takes ${postWords}.

You can follow it on your tracking page at any time.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0002",
    title: "How to cancel",
    text: `Dear {{customerName}},

You can cancel order {{orderNumber}} yourself on its tracking page for as long as the button is there: that is until the application is sent to the General Register Office. You get back everything you paid.

Its status now is {{status}}. If the application has been sent already, the fee has been spent and the certificate is on its way.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0003",
    title: "The GRO has a question",
    text: `Dear {{customerName}},

The General Register Office could not find the entry for order {{orderNumber}} with the details we sent, and asks you to check them. Because we delete certificate details once they are submitted, please enter them again on your tracking page; nothing is charged for that.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0004",
    title: "What we no longer have",
    text: `Dear {{customerName}},

The certificate details and the signature of order {{orderNumber}} were destroyed right after the General Register Office had accepted the application. Nobody here can read them again. Your tracking page has the certificate of deletion.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0005",
    title: "The certificate has not arrived",
    text: `Dear {{customerName}},

Your order {{orderNumber}} was despatched by the General Register Office. Please allow ${missingAfterWorkingDays} working days for the post. If it has not come by then, reply here: we ask the General Register Office to send it again, which costs you nothing.

Kind regards
{{companyName}}`,
  },
];
