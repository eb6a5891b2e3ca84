import type { ReactNode } from "react";
import type { StaffRole } from "../../../domain/settings/vocabulary.ts";
import { useIdentity } from "../../identity/identity.ts";
import { Empty } from "../ui/empty.tsx";
import { PageTop } from "./page-top.tsx";

interface OnlyForProps {
  readonly roles: readonly StaffRole[];
  /** What the others see; unless given, that the page is not for them. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a page to people with one of these roles. The server would refuse the others what it asks for. */
export function OnlyFor({ roles, otherwise, children }: OnlyForProps) {
  const { role } = useIdentity();
  if (role !== null && roles.includes(role)) return children;
  if (otherwise !== undefined) return otherwise;
  return (
    <>
      <PageTop title="Not for your role" />
      <Empty title="Your role does not include this page.">
        It is for {roles.join(" and ")}. A manager can give you another role under Settings.
      </Empty>
    </>
  );
}
