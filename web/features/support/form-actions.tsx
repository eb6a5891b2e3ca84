/** The button that sends a form; while it is being sent, it says so and takes no second press. */
export function SendButton({ words, busy }: { words: string; busy: boolean }) {
  return (
    <button type="submit" className="button button-primary" aria-disabled={busy}>
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
