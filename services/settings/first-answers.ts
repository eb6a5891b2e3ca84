import { missingAfterWorkingDays, postWords } from "../../domain/promise/timetable.ts";
import type { KeptAnswer } from "./settings.ts";

/** The initial canned answers. Their ids are permanent: changes refer to them. */
export const firstAnswers: readonly KeptAnswer[] = [
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0001",
    title: "Where is my order?",
    text: `Dear {{customerName}},

Your order {{orderNumber}} is {{status}}. We expect the General Register Office to despatch it by {{expectedDespatch}}. The post then usually takes ${postWords}.

You can follow it on your tracking page at any time.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0002",
    title: "How to cancel",
    text: `Dear {{customerName}},

You can cancel order {{orderNumber}} yourself on its tracking page until the application is sent to the General Register Office, and get a full refund. If you can see the button, it is not too late.

Its status is now {{status}}. If the application has already been sent, the fee has been spent and the certificate is on its way.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0003",
    title: "The GRO has a question",
    text: `Dear {{customerName}},

The General Register Office could not find the entry for order {{orderNumber}} with the details we sent, and asks you to check them. We delete certificate details once they are submitted, so please enter them again on your tracking page. There is nothing more to pay.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0004",
    title: "What we no longer have",
    text: `Dear {{customerName}},

The certificate details and the signature of order {{orderNumber}} were deleted straight after the General Register Office accepted the application. We can no longer read them. Your tracking page shows the certificate of deletion.

Kind regards
{{companyName}}`,
  },
  {
    answerId: "3b0c6f0e-6f0a-4d64-9a51-5f1f3c1a0005",
    title: "The certificate has not arrived",
    text: `Dear {{customerName}},

Your order {{orderNumber}} was despatched by the General Register Office. Please allow ${missingAfterWorkingDays} working days for the post. If it has not arrived by then, reply here and we will ask the General Register Office to send it again, at no cost to you.

Kind regards
{{companyName}}`,
  },
];
