import { certificateTypes } from "../../../../../domain/forms/options.ts";
import { Panel } from "../../../ui/panel.tsx";
import type { ViewProps } from "../use-proposals.tsx";

export function CertificatesView({ settings, propose }: ViewProps) {
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
