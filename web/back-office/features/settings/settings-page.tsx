import type { ComponentType } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { SettingName } from "../../../../contract/settings/settings.ts";
import { certificateTypes } from "../../../../domain/forms/options.ts";
import { adminPages } from "../../paths.ts";
import { NotLoaded, PageTop, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { useUpdates } from "../../use-updates.ts";
import { useProposals, type ViewProps } from "./proposals.tsx";
import { SettingHistory, useSettings, useSettingsHistory } from "./setting-history.tsx";
import { AnswersView } from "./views/answers-view.tsx";
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
      {!data && error && <NotLoaded what="The settings" failure={error} onRetry={() => void mutate()} />}
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

function CertificatesView({ settings, propose }: ViewProps) {
  return (
    <Panel title="Certificate types on sale">
      <p className="mb-3 max-w-[66ch] text-13 text-muted">
        Marriage and adoption stay ‘Coming Soon’ on the home page; a link such as{" "}
        <code className="font-mono">/order?type=Marriage</code> opens the order form for them.
      </p>
      <ul className="max-w-[36rem] divide-y divide-hairline border-y border-hairline">
        {certificateTypes.map((type) => (
          <TypeRow
            key={type}
            type={type}
            isOn={settings.orderableTypes.includes(type)}
            seen={settings.revision}
            propose={propose}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface TypeRowProps extends Pick<ViewProps, "propose"> {
  type: (typeof certificateTypes)[number];
  isOn: boolean;
  seen: number;
}

function TypeRow({ type, isOn, seen, propose }: TypeRowProps) {
  const change = (orderable: boolean) =>
    ({ path: "certificate-types", body: { certificateType: type, orderable } }) as const;
  const ask = (): void =>
    propose({
      title: isOn
        ? `Switch ${type.toLowerCase()} certificates off?`
        : `Switch ${type.toLowerCase()} certificates on?`,
      whatHappens: isOn
        ? `Customers can no longer order ${type.toLowerCase()} certificates. Anyone filling in the form for one sees a message. Orders that already have a price can still be paid for and completed.`
        : `Customers can order ${type.toLowerCase()} certificates from now on.`,
      confirmLabel: isOn ? "Switch off" : "Switch on",
      danger: isOn,
      change: change(!isOn),
      seen,
      done: `${type} certificates are switched ${isOn ? "off" : "on"}.`,
      undo: () => change(isOn),
    });
  return (
    <li className="flex min-h-11 items-center gap-4 py-1">
      <span className="flex-1 font-[500]">{type}</span>
      <span className={isOn ? "text-fulfilled" : "text-muted"}>{isOn ? "On" : "Off"}</span>
      <button type="button" className="button button-dense button-outlined w-28" onClick={ask}>
        {isOn ? "Switch off" : "Switch on"}
        <span className="sr-only"> {type.toLowerCase()} certificates</span>
      </button>
    </li>
  );
}
