/** Who answers for the processing, as the settings say. */
export type Controller = { readonly tradingName: string; readonly supportEmail: string };

/** What UK GDPR article 15(1) asks to be told beside the data itself. */
export const noticeOf = ({ tradingName, supportEmail }: Controller): readonly string[] => [
  `${tradingName} holds this to carry out your orders of certificates and to answer you: for the contract with you, and where the law requires it.`,
  "All of it came from you, but for payments (from the payment provider), the General Register Office’s reference and answers, and our own notes.",
  "It was given to the General Register Office, to the payment provider (amounts and order ids; it has your card, we never do), and to the provider that carries our mail. It is not sold, and nobody is judged by a machine.",
  "What your application says is destroyed within minutes of its submission. Each section says what is held, until when, and by which rule it goes.",
  `You may have it corrected or erased, object to or restrict its use, and take it elsewhere: write to ${supportEmail} or open a conversation on our support page.`,
  "You may complain to the Information Commissioner’s Office (ico.org.uk).",
];
