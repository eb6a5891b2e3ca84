import { useRef, useState } from "react";
import * as z from "zod/mini";
import { openTicket, openTicketForm, type TicketLink } from "../../../contract/tickets/conversation.ts";
import { questionEmail } from "../../../domain/forms/email-typo.ts";
import { ask, questions } from "../../../domain/forms/question.ts";
import { ticketCategories } from "../../../domain/ticket/vocabulary.ts";
import { keyPerBody, newIdempotencyKey } from "../../api/request.ts";
import { send } from "../../api/send.ts";
import { useInBrowser } from "../../rendering/hydration.tsx";
import { useConfig } from "../../site/config.ts";
import { RadioField, SelectField } from "../../ui/fields/choice-fields.tsx";
import { ErrorSummary } from "../../ui/fields/error-summary.tsx";
import { TextAreaField, TextField } from "../../ui/fields/field.tsx";
import { chosenFiles, FilesField, identityOf, SendingFiles, withFiles } from "./files-field.tsx";
import { mailContents, mailIsNotPrivate } from "./mail-content.tsx";
import {
  SendButton,
  type SupportField,
  TicketOpened,
  useSupportForm,
  WithoutScript,
} from "./support-form.tsx";

interface ContactFormProps {
  /** Fixed category, if the page has only one; the form then does not ask. */
  category?: (typeof ticketCategories)[number]["id"];
  /** The button's label. */
  action: string;
}

/** The form that opens a ticket, replaced by the ticket's number once it is open. */
export function ContactForm({ category, action }: ContactFormProps) {
  const [opened, setOpened] = useState<TicketLink>();
  const email = useConfig().data?.supportEmail;
  if (opened) return <TicketOpened ticket={opened} />;
  return (
    <>
      <WithoutScript email={email} />
      <Questions category={category} action={action} onOpened={setOpened} />
    </>
  );
}

interface QuestionsProps {
  category: ContactFormProps["category"] | undefined;
  action: string;
  onOpened: (ticket: TicketLink) => void;
}

const fields = [
  "category",
  "name",
  "email",
  "orderNumber",
  "subject",
  "message",
  "attachments",
  "mailContent",
] as const;

function Questions({ category, action, onOpened }: QuestionsProps) {
  const inBrowser = useInBrowser();
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const [share, setShare] = useState<number | null>(null);
  const form = useSupportForm({
    name: "contact",
    schema: z.extend(openTicketForm, { attachments: chosenFiles }),
    defaults: {
      name: "",
      email: "",
      subject: "",
      message: "",
      orderNumber: "",
      mailContent: "link",
      attachments: [],
      ...(category && { category }),
    },
    fields,
    questionsFor: ({ email }) => questions(ask("email", questionEmail(email))),
    send: async ({ attachments: files, ...answers }) => {
      const idempotencyKey = keyOf.current([answers, identityOf(files)]);
      const body = { ...answers, ...(await withFiles(files)) };
      const options = { idempotencyKey, ...(files.length > 0 && { onSent: setShare }) };
      onOpened(await send(openTicket, { body }, options).finally(() => setShare(null)));
    },
    sayRefused: () => "Your message was not sent. What you wrote is still here: please try again.",
  });
  return (
    <form noValidate onSubmit={form.submit} className="needs-script mt-6">
      <ErrorSummary errors={form.errors} attempt={form.attempt} />
      {/* Input typed before hydration would be lost. */}
      <fieldset disabled={!inBrowser} className="min-w-0 space-y-6">
        {!category && <CategoryField field={form.field("category")} />}
        <WhoWrites field={form.field} />
        <Line field={form.field("subject")} label="Subject" maxLength={150} />
        <Message field={form.field("message")} />
        <FilesField {...form.chosen("attachments")} />
        <MailContentField field={form.field("mailContent")} />
      </fieldset>
      <SendingFiles files={form.chosen("attachments").value} share={share} />
      <div className="mt-7">
        <SendButton words={action} busy={form.busy} />
      </div>
    </form>
  );
}

function WhoWrites({ field }: { field: (path: "name" | "email" | "orderNumber") => SupportField }) {
  return (
    <>
      <Line field={field("name")} label="Your name" autoComplete="name" maxLength={100} />
      <Line
        field={field("email")}
        label="Email"
        hint="We’ll send our reply to this address."
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
      />
      <Line
        field={field("orderNumber")}
        label="Order number (optional)"
        hint="Such as 7K3M-Q9TX-2HVD4"
        autoComplete="off"
        spellCheck={false}
        figures
      />
    </>
  );
}

function CategoryField({ field: { id, input, error } }: { field: SupportField }) {
  return (
    <SelectField
      {...input}
      id={id}
      label="What is it about?"
      error={error}
      placeholder="Choose"
      options={ticketCategories.map((choice) => ({ value: choice.id, words: choice.label }))}
    />
  );
}

type LineProps = { field: SupportField } & Omit<
  React.ComponentProps<typeof TextField>,
  "id" | "error" | "question" | "suggestion" | "name" | "ref" | "onChange" | "onBlur"
>;

function Line({ field: { input, ...words }, ...rest }: LineProps) {
  return <TextField {...rest} {...input} {...words} />;
}

function Message({ field: { id, input, error } }: { field: SupportField }) {
  return <TextAreaField {...input} id={id} label="Message" error={error} maxLength={5000} />;
}

function MailContentField({ field: { id, input, error } }: { field: SupportField }) {
  return (
    <RadioField
      id={id}
      label="What should the email about our reply contain?"
      hint={mailIsNotPrivate}
      error={error}
      options={mailContents}
      input={input}
    />
  );
}
