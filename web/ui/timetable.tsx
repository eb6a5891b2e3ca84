import {
  despatchWords,
  postWords,
  processingMeaning,
  processingWords,
  submissionWords,
} from "../../domain/promise/timetable.ts";
import { useSubmittedByHand } from "../site/config.ts";

/** From the payment to the letter box, for both service levels; the same words wherever it is shown. */
export function Timetable() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <ul>
        <li>Submission: {submissionWords(byHand)}.</li>
        <li>Despatch with Standard: {despatchWords.standard}.</li>
        <li>Despatch with Priority: {despatchWords.priority}.</li>
        <li>Arrival by post: usually {postWords} after despatch.</li>
      </ul>
      <p>
        Standard: <Processing level="standard" />. Priority: <Processing level="priority" />.{" "}
        {processingMeaning}
      </p>
    </>
  );
}

/** A range must not break at its hyphen; on a phone the line is too short for it. */
const Processing = ({ level }: { level: "standard" | "priority" }) => (
  <span className="sm:whitespace-nowrap">{processingWords(level)}</span>
);
