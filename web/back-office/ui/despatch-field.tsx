import { todayInLondon } from "../../ui/dates.ts";
import { DenseField } from "./dense-field.tsx";

/** The day of despatch: today in London or earlier. */
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

/** Name of the date field in a dialog that records a despatch. */
const despatchDayName = "dispatchedOn";

/** Noon of the day entered, or `now` if that is earlier. Invalid text passes through for the server to reject. */
export function despatchMoment(fields: FormData, now: Date): string {
  const typed = fields.get(despatchDayName);
  const day = typeof typed === "string" ? typed : "";
  const noon = new Date(`${day}T12:00:00.000Z`);
  if (Number.isNaN(noon.getTime())) return day;
  return (noon > now ? now : noon).toISOString();
}
