import { Link } from "react-router-dom";
import { maySend } from "../../../../contract/roles.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { useIdentity } from "../../../identity/identity-store.ts";
import { adminPages } from "../../paths.ts";

/** Link to the order or ticket of an entry. Compliance has no access to tickets. */
export function AboutLink({ about, number }: { about: "order" | "ticket"; number: string | null }) {
  const { role } = useIdentity();
  if (number === null) return <span className="text-muted">not listed yet</span>;
  if (about === "ticket" && !maySend(role, openTicketAsStaff))
    return <span className="font-mono">{number}</span>;
  return (
    <Link
      className="link font-mono whitespace-nowrap"
      to={about === "order" ? adminPages.order(number) : adminPages.ticket(number)}
    >
      {number}
    </Link>
  );
}
