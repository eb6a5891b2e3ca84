import { useDraft } from "../../../draft/use-draft.ts";
import type { StepProps } from "../order-page.tsx";
import { BirthForm } from "./birth-form.tsx";
import { DeathForm } from "./death-form.tsx";

/** Step 3: the form of the chosen type. */
export function CertificateDetailsStep({ navigation }: StepProps) {
  const { certificateType } = useDraft();
  return certificateType === "Birth" ? (
    <BirthForm navigation={navigation} />
  ) : (
    <DeathForm navigation={navigation} />
  );
}
