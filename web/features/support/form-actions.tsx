import { useInBrowser } from "../../rendering/pre-rendered.ts";

/**
 * The button that sends a form; while it is being sent, it says so and takes no second press. Until the script has taken over
 * a page from the server nothing can be sent: the browser by itself would put what was typed into the address.
 */
export function SendButton({ words, busy }: { words: string; busy: boolean }) {
  const inBrowser = useInBrowser();
  return (
    <button type="submit" className="button button-primary" disabled={!inBrowser} aria-disabled={busy}>
      {busy ? "Sending..." : words}
    </button>
  );
}

/** Instead of a form, where there is no script to send it. */
export function WithoutScript({ email }: { email: string | undefined }) {
  return (
    <p className="without-script mt-4">
      This form needs JavaScript.{" "}
      {email && (
        <>
          Please write to{" "}
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>{" "}
          instead.
        </>
      )}
    </p>
  );
}
