import type { ReactNode } from "react";
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
