import { Navigate } from "react-router-dom";
import { useIdentity } from "../../identity/identity.ts";
import { pages } from "../../paths.ts";
import { Finding } from "./finding.tsx";

/** /dashboard: people who work here go to theirs, everybody else home. */
export function DashboardForward() {
  const identity = useIdentity();
  if (identity.state === "loading") return <Finding identity={identity} />;
  return <Navigate replace to={identity.role === null ? pages.home : `${pages.accessAdmin}/dashboard`} />;
}
