const hidden = "•••";

/** First letters only: `Siân ap Rhys` becomes `S••• a••• R•••`. The number of letters stays hidden too. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0] ?? ""}${hidden}`)
    .join(" ");
}

/** First letters and the top-level domain: `jo@mail.example` becomes `j•••@m•••.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  if (at < 1) return hidden;
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  const ending = dot > 0 ? domain.slice(dot) : "";
  return `${[...email][0] ?? ""}${hidden}@${[...domain][0] ?? ""}${hidden}${ending}`;
}
