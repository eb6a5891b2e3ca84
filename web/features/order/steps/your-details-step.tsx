import type { PersonalDetails } from "../../../../domain/forms/personal-details.ts";
import { draftStore } from "../../../ordering/current-order.ts";
import { type PersonAnswers, personAnswers } from "../../../ordering/draft/draft.ts";
import { PersonForm } from "../../../ordering/questions/person-form.tsx";
import type { StepProps } from "../wizard.tsx";

const keep = (personalDetails: PersonAnswers): void => draftStore.update({ personalDetails });

/** Step 2: the customer's details, and where certificate and emails go. */
export default function YourDetailsStep({ navigation }: StepProps) {
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
            ? "The General Register Office posts the certificate to the recipient, and we send updates to your email address."
            : "The General Register Office posts the certificate to this address, and we send updates to this email address."}
        </p>
      )}
      answers={draftStore.current().personalDetails}
      onChange={keep}
      action="Continue to Certificate Details"
      onDone={done}
      onPrevious={navigation.previous}
    />
  );
}
