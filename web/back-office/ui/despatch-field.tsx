import { todayInLondon } from "../../clock.ts";
import { DenseField } from "./dense-field.tsx";
import { despatchDayName } from "./despatch-moment.ts";

/** The day on which the GRO sent the certificate: today in London, or before. */
export function DespatchField() {
  const today = todayInLondon();
  return (
    <DenseField
      label="Despatched on"
      type="date"
      name={despatchDayName}
      required
      max={today}
      defaultValue={today}
    />
  );
}
