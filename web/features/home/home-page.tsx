import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Benefits } from "./benefits.tsx";
import { CertificateLedger } from "./certificate-ledger.tsx";
import { Evidence } from "./evidence.tsx";
import { ReadyToOrder } from "./ready-to-order.tsx";
import { ThreeSteps } from "./three-steps.tsx";
import { WhatYouWillSee } from "./what-you-will-see.tsx";

/** The first page: what we do, for how much, how, and what one gets to see. */
export function HomePage() {
  return (
    <>
      <div className="page-width grid items-start gap-x-16 gap-y-10 py-12 md:py-16 lg:grid-cols-[1fr_26.5rem]">
        <div className="min-w-0">
          <PageHeading title="Birth and death certificates for England and Wales">
            The certificate you need, <span className="sm:block">without the form you don’t.</span>
          </PageHeading>
          <p className="mt-5 max-w-[36em] text-18 text-muted">
            Birth and death certificates for England and Wales. Answer a few simple questions. We fill in the
            General Register Office’s form, check it, submit it, and tell you when your certificate is on its
            way.
          </p>
          <div className="mt-7 flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
            <Link to={pages.order} className="button button-primary">
              Start Your Application
            </Link>
            <Link to={pages.lookup} className="button button-outlined">
              Look Up My Order
            </Link>
            <Link to={pages.pricing} className="link px-3 py-2 text-center font-[600]">
              View Pricing
            </Link>
          </div>
          <HonestPrice className="mt-8" />
        </div>
        <CertificateLedger />
      </div>
      <ThreeSteps />
      <Benefits />
      <Evidence />
      <WhatYouWillSee />
      <ReadyToOrder />
    </>
  );
}
