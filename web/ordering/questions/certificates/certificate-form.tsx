import type { DraftType } from "../../draft/draft.ts";
import type { DetailsFormProps } from "../details-form.tsx";
import { AdoptionForm } from "./adoption-form.tsx";
import { BirthForm } from "./birth-form.tsx";
import { DeathForm } from "./death-form.tsx";
import { MarriageForm } from "./marriage-form.tsx";

export function CertificateForm({ type, ...props }: DetailsFormProps & { type: DraftType }) {
  switch (type) {
    case "Birth":
      return <BirthForm {...props} />;
    case "Death":
      return <DeathForm {...props} />;
    case "Marriage":
      return <MarriageForm {...props} />;
    case "Adoption":
      return <AdoptionForm {...props} />;
    default:
      return type satisfies never;
  }
}
