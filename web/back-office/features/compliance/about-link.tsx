import { Link } from "react-router-dom";
import { maySend } from "../../../../contract/roles.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { useIdentity } from "../../../identity/identity-store.ts";
import { adminPages } from "../../paths.ts";

interface AboutLinkProps {
  about: "order" | "ticket" | "draft";
  number: string | null;
}

/** Link to the order or ticket of an entry. Compliance has no access to tickets; saved drafts have no page. */
export function AboutLink({ about, number }: AboutLinkProps) {
  const { role } = useIdentity();
  if (about === "draft") return <span className="text-muted">unfinished order</span>;
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
