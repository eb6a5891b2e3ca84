import type { SiteConfig } from "../../contract/site/site.ts";
import { useConfig } from "./config.ts";

/**
 * Says on every page what here is not real, while any part of the installation is a stand-in or in its provider's test
 * world.
 */
export function SandboxBanner() {
  const { data: config } = useConfig();
  if (!config?.sandbox) return null;
  return (
    <aside
      aria-label="Sandbox"
      data-sandbox-banner
      className="border-b border-transparent bg-pending-ground px-5 py-1.5 text-center text-14 text-pending"
    >
      {sentence(config.modes)}
    </aside>
  );
}

function sentence({ payments, identity, submission, mail }: SiteConfig["modes"]): string {
  const parts = [
    submission === "sandbox" || submission === "test"
      ? "nothing here is sent to the General Register Office"
      : "",
    payments !== "live" ? "no card is charged" : "",
  ].filter(Boolean);
  const isSandbox = [payments, identity, submission, mail].includes("sandbox");
  const what = isSandbox ? "Sandbox" : "Test";
  return parts.length > 0
    ? `${what}: ${parts.join(", and ")}.`
    : `${what}: some parts of this installation are not real.`;
}
