import { draftStore, useDraft } from "../../../ordering/current-order.ts";
import { CertificateForm } from "../../../ordering/questions/certificates/certificate-form.tsx";
import type { StepProps } from "../wizard.tsx";

/** Step 3: the form of the chosen type. */
export default function CertificateDetailsStep({ navigation }: StepProps) {
  const draft = useDraft();
  return (
    <CertificateForm
      type={draft.certificateType}
      title="Certificate Details"
      answers={draft}
      others={draft.others}
      onChange={draftStore.update}
      action="Continue to Review"
      whenStopped="You haven’t been charged, and your answers are kept in this tab."
      onDone={navigation.next}
      onPrevious={navigation.previous}
    />
  );
}
