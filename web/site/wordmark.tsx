/** The trading name in the display face; an ampersand in it is set in indigo. */
export function Wordmark({ name }: { name: string }) {
  const [before, ...after] = name.split("&");
  return (
    <span className="font-display text-22 font-[500] tracking-tight whitespace-nowrap text-ink">
      {before}
      {after.length > 0 && <em className="mr-[0.12em] text-primary">&amp;</em>}
      {after.join("&")}
    </span>
  );
}
