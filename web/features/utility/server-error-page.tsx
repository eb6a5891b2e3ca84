import { ServerFault } from "../../site/server-fault.tsx";

/** /error. */
export default function ServerErrorPage() {
  return <ServerFault />;
}
