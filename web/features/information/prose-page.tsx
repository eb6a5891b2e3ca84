import type { ReactNode } from "react";
import type { Agreement } from "../../../domain/forms/agreements.ts";
import { londonDay } from "../../ui/dates.ts";
import { PageHeading } from "../../ui/page-heading.tsx";

/** A page of text at reading width. */
export function ProsePage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title={title}>{title}</PageHeading>
      {lead && <p className="mt-4 max-w-measure text-18 text-muted">{lead}</p>}
      <div className="prose-page mt-6">{children}</div>
    </div>
  );
}

/** Which version of a text this is, and of when. */
export function Dated({ text, children }: { text: Agreement; children?: ReactNode }) {
  return (
    <>
      Version {text.version}, last updated{" "}
      <time dateTime={text.datedOn}>{londonDay(`${text.datedOn}T12:00:00Z`)}</time>. {children}
    </>
  );
}
