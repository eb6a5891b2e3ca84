import { useState } from "react";
import { useIdentity } from "../../identity/identity.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";

/** Who is signed in, and the two ways out. The gate shows the sign-in as soon as one is done. */
export function SignedInAs() {
  const identity = useIdentity();
  return (
    <div className="mt-auto border-t border-hairline px-2.5 pt-3 text-13 max-lg:mt-3 lg:border-t-0">
      <p className="leading-snug wrap-anywhere">
        <span className="sr-only">Signed in as </span>
        {identity.name}
        <span className="sr-only">, </span>
        <span className="block text-muted">{identity.role}</span>
      </p>
      <div className="mt-1 flex flex-col items-start">
        <Leave leave={identity.signOut} />
        <LeaveEverywhere leave={identity.signOutEverywhere} />
      </div>
    </div>
  );
}

function Leave({ leave }: { leave: () => Promise<void> }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const press = async (): Promise<void> => {
    setState("busy");
    try {
      await leave();
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      <button
        type="button"
        className="link inline-flex min-h-7 cursor-pointer items-center"
        disabled={state === "busy"}
        onClick={() => void press()}
      >
        Sign out
      </button>
      {state === "failed" && (
        <span role="alert" className="text-danger">
          That did not work: you are still signed in.
        </span>
      )}
    </>
  );
}

/** It reaches other machines, so it is asked about first. */
function LeaveEverywhere({ leave }: { leave: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="link inline-flex min-h-7 cursor-pointer items-center"
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Sign out everywhere…
      </button>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        whatHappens="Every browser and device where you are signed in is signed out at once, this one too. What is typed there and not sent is lost. You can sign in again straight away."
        confirmLabel="Sign out everywhere"
        reasons={null}
        withNote={false}
        onConfirm={leave}
      />
    </>
  );
}
