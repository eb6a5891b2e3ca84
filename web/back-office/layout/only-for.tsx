import type { ReactNode } from "react";
import type { Role } from "../../api/get-me.ts";
import { useIdentity } from "../../identity/identity.ts";
import { Empty } from "../ui/empty.tsx";
import { PageTop } from "./page-top.tsx";

/** Shows a page to people with one of these roles, and says so to the others, whom the server would refuse. */
export function OnlyFor({ roles, children }: { roles: readonly Role[]; children: ReactNode }) {
  const { role } = useIdentity();
  if (role !== null && roles.includes(role)) return children;
  return (
    <>
      <PageTop title="Not for your role" />
      <Empty title="Your role does not include this page.">
        It is for {roles.join(" and ")}. A manager can give you another role under Settings.
      </Empty>
    </>
  );
}
