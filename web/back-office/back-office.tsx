import "./back-office.css";
import type { ReactNode } from "react";
import { Link, Navigate, Route, Routes } from "react-router-dom";
import { maySend } from "../../contract/roles.ts";
import { useIdentity } from "../identity/identity.ts";
import { Gate } from "./layout/gate.tsx";
import { PageTop } from "./layout/page-top.tsx";
import { Shell } from "./layout/shell.tsx";
import { type AdminPage, staffPages } from "./pages.ts";
import { adminPages } from "./paths.ts";
import { Empty } from "./ui/placeholders.tsx";

/** Everything below /accessadmin, behind the gate, with a route for each page. */
export default function BackOffice() {
  return (
    <Gate>
      <Routes>
        <Route element={<Shell />}>
          {staffPages.map(({ path, Page, ...page }) => (
            <Route
              key={path}
              path={path.slice(`${adminPages.home}/`.length)}
              element={
                <OnlyFor {...page}>
                  <Page />
                </OnlyFor>
              }
            />
          ))}
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </Gate>
  );
}

function NoSuchPage() {
  return (
    <>
      <PageTop title="Page Not Found" />
      <Empty title="There is no page at this web address.">
        Check the web address, or go to{" "}
        <Link className="link" to={adminPages.orders}>
          Orders
        </Link>
        .
      </Empty>
    </>
  );
}

type OnlyForProps = Pick<AdminPage, "request" | "otherwise"> & { readonly children: ReactNode };

/** Shows a page to the roles that may send its main request. */
function OnlyFor({ request, otherwise, children }: OnlyForProps) {
  const { role } = useIdentity();
  if (maySend(role, request)) return children;
  if (otherwise !== undefined) return <Navigate replace to={otherwise} />;
  return (
    <>
      <PageTop title="No access" />
      <Empty title="Your role does not have access to this page.">
        Roles with access: {request.from.join(", ")}. A manager can change your role under Settings.
      </Empty>
    </>
  );
}
