import { useConfig } from "../../site/config.ts";

/** What speaks for us: what customers said, where it can be checked. Nothing while nobody has said anything. */
export function Evidence() {
  const said = useConfig().data?.testimonials ?? [];
  if (said.length === 0) return null;
  return (
    <section aria-labelledby="said" className="page-width">
      <div className="border-t border-hairline py-12">
        <h2 id="said" className="text-28">
          What customers say
        </h2>
        <ul className="mt-6 grid gap-x-16 gap-y-8 md:grid-cols-2">
          {said.map(({ quote, name, source, url }) => (
            <li key={quote}>
              <blockquote className="border-l-3 border-primary pl-5 text-18">{quote}</blockquote>
              <p className="mt-2 pl-5.75 text-14 text-muted">
                {name},{" "}
                {url ? (
                  <a className="link" href={url}>
                    {source}
                  </a>
                ) : (
                  source
                )}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
