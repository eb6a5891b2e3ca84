import { type ReactNode, useRef } from "react";
import { registrationLocations } from "../../../domain/forms/options.ts";
import {
  otherOfficeFor,
  phoneFor,
  type RegistrationOffice,
} from "../../../domain/forms/registration-office.ts";

/** Answers that may lead to another office. The last two are for births only. */
export interface DecidingAnswers {
  registrationLocation: string;
  adopted?: string | boolean | undefined;
  applyingForOwn?: string | boolean | undefined;
}

/** Names the right office, beside the decisive answer. */
export interface OtherOffice {
  besideLocation: ReactNode;
  besideApplicant: ReactNode;
}

/**
 * Stops an order that the GRO would not accept from us. `onwards` continues only if there is no objection, and
 * otherwise focuses the notice.
 */
export function useOtherOffice(
  answers: DecidingAnswers,
  aftermath: string,
): OtherOffice & { onwards: (go: () => void) => void } {
  const box = useRef<HTMLDivElement>(null);
  const known = registrationLocations.find((name) => name === answers.registrationLocation);
  const elsewhere = known && otherOfficeFor(known);
  const isYes = (answer: string | boolean | undefined) => answer === "yes" || answer === true;
  const byPhone = phoneFor({
    adopted: isYes(answers.adopted),
    applyingForOwn: isYes(answers.applyingForOwn),
  });
  const noticeOf = (office: RegistrationOffice) => <Notice office={office} aftermath={aftermath} box={box} />;
  return {
    besideLocation: elsewhere && noticeOf(elsewhere),
    besideApplicant: !elsewhere && byPhone && noticeOf(byPhone),
    onwards: (go) => {
      if (!elsewhere && !byPhone) return go();
      box.current?.scrollIntoView({ block: "center" });
      box.current?.focus({ preventScroll: true });
    },
  };
}

interface NoticeProps {
  office: RegistrationOffice;
  aftermath: string;
  box: React.Ref<HTMLDivElement>;
}

function Notice({ office, aftermath, box }: NoticeProps) {
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rounded-4 border-2 border-danger p-4">
      <p className="font-[600]">We cannot order this certificate</p>
      <p className="mt-1">
        {office.advice} {aftermath}
      </p>
      <a className="link mt-2 inline-block" href={office.link}>
        {office.name}
      </a>
    </div>
  );
}
