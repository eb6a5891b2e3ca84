import { useEffect, useRef, useState } from "react";
import { SaveForm } from "./save-form.tsx";

type Progress = "closed" | "open" | "sent";

/** Below a step: emails a link that opens the order on any device. Never offered by itself. */
export function SaveForLater() {
  const [progress, setProgress] = useState<Progress>("closed");
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setProgress("closed");
    button.current?.focus();
  };
  return (
    <div className="mt-3">
      <button
        ref={button}
        type="button"
        className="link min-h-11 cursor-pointer"
        aria-expanded={progress !== "closed"}
        aria-controls="save-for-later"
        onClick={() => setProgress(progress === "open" ? "closed" : "open")}
      >
        Email me a link to finish later
      </button>
      <div id="save-for-later" className="max-w-form">
        {progress === "sent" && <Sent />}
        {progress === "open" && <SaveForm onSent={() => setProgress("sent")} onCancel={close} />}
      </div>
    </div>
  );
}

/** The same words whether or not the address exists. */
function Sent() {
  const box = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: what took its place is read out.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="py-2">
      <p className="font-[600]">We’ve sent it</p>
      <p className="mt-1 max-w-measure">
        The link should arrive within a few minutes, and works for 7 days. It opens your answers as they are
        now: if you change them here, ask for a new link, which replaces this one. If nothing comes, check
        your spam folder and the address.
      </p>
    </div>
  );
}
