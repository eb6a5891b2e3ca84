import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";

/** The last call to action, with what it costs elsewhere beside it. */
export function ReadyToOrder() {
  return (
    <section aria-labelledby="ready" className="border-t border-hairline bg-surface">
      <div className="page-width grid items-center gap-x-16 gap-y-8 py-12 lg:grid-cols-[1fr_32.5rem]">
        <div>
          <h2 id="ready" className="text-28">
            Have the names and a date to hand?
          </h2>
          <p className="mt-3 max-w-measure text-muted">
            That’s all you need to start. You’ll see the full price before you pay.
          </p>
          <Link to={pages.order} className="button button-primary mt-6">
            Get Started
          </Link>
        </div>
        <HonestPrice className="text-14" />
      </div>
    </section>
  );
}
