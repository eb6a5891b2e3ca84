/**
 * Whether all text in parsed JSON can be stored: a lone surrogate survives JSON, but not UTF-8 or canonical JSON; a null character survives
 * both, but not Postgres. Not recursive: JSON may be nested deeper than the stack.
 */
export function isWholeText(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && (!value.isWellFormed() || value.includes("\0"))) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.entries(value)) unseen.push(...member);
  }
  return true;
}
