import type { ReadModel } from "../../../../contract/back-office/overview.ts";
import { durationWords } from "../../ui/duration-words.ts";

/** Less is the time that folding takes. */
const behindSeconds = 10;

const isWell = ({ state, behindSeconds: behind }: ReadModel): boolean =>
  state === "ready" && behind < behindSeconds;

/** Whether what is shown is what happened: a quiet line when it is, and red what is not. */
export function ReadModels({ readModels }: { readModels: readonly ReadModel[] }) {
  const ill = readModels.filter((model) => !isWell(model));
  if (ill.length === 0)
    return <p className="text-13 text-muted">All {readModels.length} read models are up to date.</p>;
  return (
    <div role="alert" className="border-l-3 border-danger pl-4">
      <p className="font-[600] text-danger">
        {ill.length === 1 ? "One read model is" : `${ill.length} read models are`} not up to date: lists and
        figures may be wrong.
      </p>
      <ul className="mt-1 text-14">
        {ill.map((model) => (
          <li key={model.name}>
            <span className="figures">{model.name}</span> {standing(model)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-13 text-muted">
        Orders themselves are safe: they are decided on the log. What to do is in the operations guide.
      </p>
    </div>
  );
}

function standing({ state, behindSeconds: behind, reason }: ReadModel): string {
  const late = behind === 0 ? "" : `, ${durationWords(behind)} behind`;
  if (state === "stopped") return `has stopped${reason === null ? "" : ` (${reason})`}${late}`;
  return state === "catching-up" ? `is catching up${late}` : `is ready${late}`;
}
