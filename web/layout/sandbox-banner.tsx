import { useConfig } from "../api/get-config.ts";

/** Says on every page that nothing here is real, while any part of the installation is a sandbox. */
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

function sentence(modes: { payments: string; submission: string }): string {
  const parts = [
    modes.submission === "sandbox" ? "nothing here is sent to the General Register Office" : "",
    modes.payments === "sandbox" ? "no card is charged" : "",
  ].filter(Boolean);
  return parts.length > 0
    ? `Sandbox: ${parts.join(", and ")}.`
    : "Sandbox: some parts of this installation are stand-ins.";
}
