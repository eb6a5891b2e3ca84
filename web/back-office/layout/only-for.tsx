import type { ReactNode } from "react";
import { maySend, type StaffRequest } from "../../../contract/roles.ts";
import { useIdentity } from "../../identity/identity.ts";
import { Empty } from "../ui/empty.tsx";
import { PageTop } from "./page-top.tsx";

interface OnlyForProps {
  /** The page's main request: who may send it may see the page. */
  readonly request: StaffRequest;
  /** What the others see; unless given, that the page is not for them. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a page to the roles that may send its main request. */
export function OnlyFor({ request, otherwise, children }: OnlyForProps) {
  const { role } = useIdentity();
  if (maySend(role, request)) return children;
  if (otherwise !== undefined) return otherwise;
  return (
    <>
      <PageTop title="Not for your role" />
      <Empty title="Your role does not include this page.">
        It is for {request.from.join(" and ")}. A manager can give you another role under Settings.
      </Empty>
    </>
  );
}
