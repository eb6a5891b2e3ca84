import { ServerFault } from "../../layout/server-fault.tsx";

/** /error. */
export default function ServerErrorPage() {
  return <ServerFault />;
}
