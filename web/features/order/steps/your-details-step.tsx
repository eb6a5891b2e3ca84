import type { PersonalDetails } from "../../../../domain/forms/personal-details.ts";
import { draftStore } from "../../../ordering/current-order.ts";
import { type PersonAnswers, personAnswers } from "../../../ordering/draft/draft.ts";
import { PersonForm } from "../../../ordering/questions/person-form.tsx";
import type { StepProps } from "../wizard.tsx";

const keep = (personalDetails: PersonAnswers): void => draftStore.update({ personalDetails });

/** Step 2: the customer's details, and where certificate and emails go. */
export default function YourDetailsStep({ navigation }: StepProps) {
  const { personalDetails, others } = draftStore.current();
  const what = others.length === 0 ? "certificate" : "certificates";
  const done = (details: PersonalDetails): void => {
    // Normalised like on the server, so the review shows exactly what will be sent.
    keep(personAnswers.parse(details));
    navigation.next();
  };
  return (
    <PersonForm
      title="Your Details"
      lead={(toSomeoneElse) => (
        <p className="mt-3 max-w-measure text-muted">
          {toSomeoneElse
            ? `The General Register Office posts the ${what} to the recipient, and we send updates to your email address.`
            : `The General Register Office posts the ${what} to this address, and we send updates to this email address.`}
        </p>
      )}
      answers={personalDetails}
      onChange={keep}
      action="Continue to Certificate Details"
      onDone={done}
      onPrevious={navigation.previous}
    />
  );
}
