import { todayInLondon } from "../../ui/dates.ts";
import { DenseField } from "./dense-field.tsx";

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

/** The name of the box for the day, in a dialog that records a despatch. */
export const despatchDayName = "dispatchedOn";

/** When the certificate left, from the day that was typed: that day's noon, or `now` while noon is still to come. As it stands where it is no day, for the server to refuse. */
export function despatchMoment(fields: FormData, now: Date): string {
  const typed = fields.get(despatchDayName);
  const day = typeof typed === "string" ? typed : "";
  const noon = new Date(`${day}T12:00:00.000Z`);
  if (Number.isNaN(noon.getTime())) return day;
  return (noon > now ? now : noon).toISOString();
}
