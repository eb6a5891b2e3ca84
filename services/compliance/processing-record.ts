/** One processing activity, as Article 30 of the UK GDPR asks a controller to record it. */
export type ProcessingActivity = {
  readonly name: string;
  readonly purpose: string;
  readonly lawfulBasis: string;
  readonly people: string;
  readonly data: readonly string[];
  readonly recipients: readonly string[];
  /** Rules of the retention schedule that end it. */
  readonly endedBy: readonly string[];
};

export type ProcessingRecord = {
  readonly transfers: string;
  readonly security: readonly string[];
  readonly activities: readonly ProcessingActivity[];
};

/** What this product does with personal data. Change it in the same change as the code that does it. */
export const processingRecord = (submittedByHand: boolean): ProcessingRecord => ({
  transfers:
    "This product transfers no personal data outside the UK and the EEA. Each recipient below acts under its own terms.",
  security: [
    "Each record is sealed with a key of its own (AES-256-GCM); keys lie outside the database and are destroyed to destroy the record.",
    "Events, read models, jobs and logs hold no personal data; a test reads every event schema.",
    "Staff see masked data. Every look at the whole is an event with person, reason and time, in the access log.",
    "The event log is chained by hashes and signed every minute beside the keys; the audit reads the whole of it.",
    "Roles are checked by the server on every request; signing out everywhere takes effect at once.",
  ],
  activities: [
    {
      name: "Ordering a certificate",
      purpose:
        "To fill in and submit the application to the General Register Office, and to tell the customer how it stands",
      lawfulBasis: "Contract (Article 6(1)(b))",
      people: "Customers; the persons named in applications, and their parents or spouses",
      data: [
        "Contact: name, company, email address, telephone numbers, postal address, the GRO's order reference",
        "Application: certificate details, event details, the GRO's index reference, the typed signature",
      ],
      recipients: [
        submittedByHand
          ? "General Register Office, by the hands of our staff"
          : "General Register Office, through the automation service",
        "The mail server, for messages to the customer",
      ],
      endedBy: ["submitted", "cancelled", "failed", "neverPaid", "retention", "erasure"],
    },
    {
      name: "Taking payment and refunding",
      purpose: "To charge the card, to give money back, and to answer disputes",
      lawfulBasis: "Contract (Article 6(1)(b)); accounting records: legal obligation (Article 6(1)(c))",
      people: "Customers",
      data: [
        "Amounts, dates and the provider's own ids. Card details go from the browser to the card provider and never come here.",
        "Contact: the reference of a bank transfer, where a refund does not reach the card. Account details are not kept.",
      ],
      recipients: ["The card payment provider", "Our bank, for a refund by bank transfer"],
      endedBy: ["retention", "erasure"],
    },
    {
      name: "Answering questions and complaints",
      purpose: "To answer whoever writes, within the times that the law sets",
      lawfulBasis:
        "Legitimate interests (Article 6(1)(f)); data protection requests: legal obligation (Article 6(1)(c))",
      people: "Whoever writes to support",
      data: ["Name, email address, subject, messages, and the notes of staff about them"],
      recipients: ["The mail server, for replies"],
      endedBy: ["retention", "orderPurged", "erasure"],
    },
    {
      name: "Proving what was done",
      purpose: "To show that an order was handled and that personal data was destroyed",
      lawfulBasis: "Legitimate interests (Article 6(1)(f)); accountability: Article 5(2)",
      people: "Customers and staff",
      data: ["Events: ids, amounts, dates, codes, opaque ids of staff. Nothing that a customer typed."],
      recipients: [],
      endedBy: [],
    },
  ],
});
