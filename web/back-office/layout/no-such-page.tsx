import { Link } from "react-router-dom";
import { adminPages } from "../paths.ts";
import { Empty } from "../ui/empty.tsx";
import { PageTop } from "./page-top.tsx";

/** What any other address of the back office shows. */
export function NoSuchPage() {
  return (
    <>
      <PageTop title="Page Not Found" />
      <Empty title="There is nothing at this address.">
        Check it for a slip, or start from the{" "}
        <Link className="link" to={adminPages.orders}>
          orders
        </Link>
        .
      </Empty>
    </>
  );
}
