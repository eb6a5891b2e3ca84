import { Link } from "react-router-dom";
import { listParked } from "../../../../contract/compliance/audit.ts";
import { maySend } from "../../../../contract/roles.ts";
import { useIdentity } from "../../../identity/identity.ts";
import { adminPages } from "../../paths.ts";

/** How many orders and tickets nothing happens to until they are put right; nothing where there are none. */
export function Parked({ records }: { records: number }) {
  const { role } = useIdentity();
  if (records === 0) return null;
  return (
    <div role="alert" className="mt-4 border-l-3 border-danger pl-4">
      <p className="font-[600] text-danger">
        {records === 1 ? "One order or ticket is" : `${records} orders and tickets are`} parked: nothing
        happens there until the history is put right.
      </p>
      <p className="mt-1 text-13 text-muted">
        All others go on.{" "}
        {maySend(role, listParked) ? (
          <Link className="link" to={`${adminPages.compliance}?view=parked`}>
            See which and why
          </Link>
        ) : (
          "A manager sees which under Compliance."
        )}
      </p>
    </div>
  );
}
