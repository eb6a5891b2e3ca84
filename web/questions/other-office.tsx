import { type ReactNode, useRef } from "react";
import { registrationLocations } from "../../domain/forms/options.ts";
import { otherOfficeFor, type RegistrationOffice } from "../../domain/forms/registration-office.ts";

/**
 * Stops an order that the GRO has no record for. `notice` names the right office; `onwards` goes on only where there is
 * none, and else brings the notice into view and focus.
 */
export function useOtherOffice(location: string): { notice: ReactNode; onwards: (go: () => void) => void } {
  const box = useRef<HTMLDivElement>(null);
  const known = registrationLocations.find((name) => name === location);
  const office = known && otherOfficeFor(known);
  return {
    notice: office && <Notice office={office} box={box} />,
    onwards: (go) => {
      if (!office) return go();
      box.current?.scrollIntoView({ block: "center" });
      box.current?.focus({ preventScroll: true });
    },
  };
}

function Notice({ office, box }: { office: RegistrationOffice; box: React.Ref<HTMLDivElement> }) {
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rounded-4 border-2 border-danger p-4">
      <p className="font-[600]">We cannot order this certificate</p>
      <p className="mt-1">{office.advice} We have taken no money, and your answers stay in this tab.</p>
      <a className="link mt-2 inline-block" href={office.link}>
        {office.name}
      </a>
    </div>
  );
}
