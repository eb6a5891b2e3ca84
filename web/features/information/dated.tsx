import type { Agreement } from "../../../domain/agreements.ts";
import { londonDay } from "../../ui/dates.ts";

/** Which version of a text this is, and of when. */
export function Dated({ text, children }: { text: Agreement; children?: React.ReactNode }) {
  return (
    <>
      Version {text.version}, last updated{" "}
      <time dateTime={text.datedOn}>{londonDay(`${text.datedOn}T12:00:00Z`)}</time>. {children}
    </>
  );
}
