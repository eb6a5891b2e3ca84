import { useInBrowser } from "../../rendering/pre-rendered.ts";

/**
 * A form's submit button; while sending, it says so and is disabled. Before hydration nothing can be sent: the browser
 * would put the input into the URL.
 */
export function SendButton({ words, busy }: { words: string; busy: boolean }) {
  const inBrowser = useInBrowser();
  return (
    <button type="submit" className="button button-primary" disabled={!inBrowser} aria-disabled={busy}>
      {busy ? "Sending..." : words}
    </button>
  );
}

/** Replaces the form where scripts do not run. */
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
