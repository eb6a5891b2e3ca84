import type { ComponentType } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { SettingName } from "../../../../contract/settings/settings.ts";
import { PageTop } from "../../layout/page-top.tsx";
import { adminPages } from "../../paths.ts";
import { NotLoaded, Skeleton } from "../../ui/placeholders.tsx";
import { useUpdates } from "../../use-updates.ts";
import { SettingHistory } from "./setting-history.tsx";
import { useSettings, useSettingsHistory } from "./setting-requests.ts";
import { useProposals, type ViewProps } from "./use-proposals.tsx";
import { AnswersView } from "./views/answers-view.tsx";
import { CertificatesView } from "./views/certificates-view.tsx";
import { CompanyView } from "./views/company-view.tsx";
import { LimitsView } from "./views/limits-view.tsx";
import { PricesView } from "./views/prices-view.tsx";
import { StaffView } from "./views/staff-view.tsx";
import { TestimonialsView } from "./views/testimonials-view.tsx";

interface SettingsView {
  readonly name: string;
  readonly words: string;
  readonly settings: readonly SettingName[];
  readonly View: ComponentType<ViewProps>;
}

const firstView: SettingsView = { name: "prices", words: "Prices", settings: ["prices"], View: PricesView };
const views: readonly SettingsView[] = [
  firstView,
  {
    name: "certificates",
    words: "Certificate types",
    settings: ["certificateTypes"],
    View: CertificatesView,
  },
  { name: "company", words: "Company", settings: ["company"], View: CompanyView },
  { name: "staff", words: "Staff and roles", settings: ["staff"], View: StaffView },
  {
    name: "limits",
    words: "Refunds and retention",
    settings: ["refundLimit", "retention"],
    View: LimitsView,
  },
  { name: "answers", words: "Canned answers", settings: ["cannedAnswers"], View: AnswersView },
  { name: "testimonials", words: "Testimonials", settings: ["testimonials"], View: TestimonialsView },
];

/** Settings for managers, each with its history. */
export default function SettingsPage() {
  const [parameters] = useSearchParams();
  const view = views.find(({ name }) => name === parameters.get("view")) ?? firstView;
  const { data, error, mutate } = useSettings();
  const history = useSettingsHistory();
  const { propose, asking, outcome } = useProposals();
  useUpdates(["settings"], () => {
    void mutate();
    void history.mutate();
  });
  return (
    <>
      <PageTop title={`Settings: ${view.words}`} heading="Settings" />
      <Views current={view.name} />
      {outcome}
      {data && <view.View key={view.name} settings={data} propose={propose} />}
      {!data && !error && <Skeleton lines={8} label="Loading the settings" />}
      {!data && error && <NotLoaded what="The settings" onRetry={() => void mutate()} />}
      {data && <SettingHistory of={view.settings} />}
      {asking}
    </>
  );
}

function Views({ current }: { current: string }) {
  return (
    <nav aria-label="Settings" className="mb-5 flex flex-wrap gap-x-5 gap-y-1 border-b border-hairline">
      {views.map(({ name, words }) => (
        <Link
          key={name}
          to={`${adminPages.settings}?view=${name}`}
          aria-current={name === current ? "page" : undefined}
          className="-mb-px inline-flex min-h-9 items-center border-b-2 border-transparent text-muted hover:text-primary aria-[current=page]:border-primary aria-[current=page]:font-[500] aria-[current=page]:text-primary"
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
