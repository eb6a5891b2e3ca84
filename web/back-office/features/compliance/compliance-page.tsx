import { Link, useSearchParams } from "react-router-dom";
import { PageTop } from "../../layout/page-top.tsx";
import { adminPages } from "../../paths.ts";
import { AuditView } from "./audit-view.tsx";
import { ParkedView } from "./parked-view.tsx";
import { AccessView, PurgesView } from "./registers.tsx";
import { DueView, ProcessingView, RetentionView } from "./retention-view.tsx";

const views = [
  { name: "purges", words: "Purge register", View: PurgesView },
  { name: "due", words: "Due purges", View: DueView },
  { name: "audit", words: "Audit", View: AuditView },
  { name: "parked", words: "Parked", View: ParkedView },
  { name: "access", words: "Access log", View: AccessView },
  { name: "retention", words: "Retention", View: RetentionView },
  { name: "processing", words: "Record of processing", View: ProcessingView },
] as const;

/** Everything an auditor needs: purges, due purges, log integrity and access to personal data. */
export default function CompliancePage() {
  const [parameters] = useSearchParams();
  const { name, words, View } = views.find((view) => view.name === parameters.get("view")) ?? views[0];
  return (
    <>
      <PageTop title={`Compliance: ${words}`} heading="Compliance" />
      <nav aria-label="Compliance" className="mb-5 flex flex-wrap gap-x-5 gap-y-1 border-b border-hairline">
        {views.map((view) => (
          <Link
            key={view.name}
            to={`${adminPages.compliance}?view=${view.name}`}
            aria-current={view.name === name ? "page" : undefined}
            className="-mb-px inline-flex min-h-9 items-center border-b-2 border-transparent text-muted hover:text-primary aria-[current=page]:border-primary aria-[current=page]:font-[500] aria-[current=page]:text-primary"
          >
            {view.words}
          </Link>
        ))}
      </nav>
      <View />
    </>
  );
}
