import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { matchPath, Route, Routes, StaticRouter } from "react-router-dom";
import { SWRConfig } from "swr";
import type { SiteConfig } from "../../contract/site/site.ts";
import { official, pages } from "../paths.ts";
import { knownOf, useConfig } from "../site/config.ts";
import { SiteLayout } from "../site/site-layout.tsx";

/** The server's frame of a page that needs scripts: what it is, and what to do without scripts. */
interface PageFrame {
  readonly heading: string;
  readonly lead: string;
  /** Follows "This page needs JavaScript." */
  readonly instead: ReactNode;
}

const turnOn = "Turn it on in your browser’s settings and reload the page.";

const staffOnly: PageFrame = {
  heading: "Sign in",
  lead: "For our staff. You don’t need an account to order a certificate or to track an order.",
  instead: turnOn,
};

const frames: readonly (readonly [pattern: string, frame: PageFrame])[] = [
  [
    pages.order,
    {
      heading: "Order a certificate",
      lead: "Five short steps, about three minutes: choose the certificate, tell us who you are and whose record you need, check your answers, and pay by card. We fill in the form and send it to the General Register Office.",
      instead: (
        <>
          {turnOn} You can also order directly from the{" "}
          <a className="link" href={official.order}>
            General Register Office
          </a>
          , online or by phone.
        </>
      ),
    },
  ],
  [
    pages.savedOrder,
    {
      heading: "Your unfinished order",
      lead: "The link in our email opens the order where you left it.",
      instead: <>{turnOn} Then open the link in our email again.</>,
    },
  ],
  [
    pages.orderConfirmation,
    {
      heading: "Your order",
      lead: "Your order number, what you paid, and where your order is now.",
      instead: (
        <>
          {turnOn} The same details are in the confirmation we emailed to you. If you can’t find it, write to{" "}
          <SupportEmail />.
        </>
      ),
    },
  ],
  [
    pages.lookup,
    {
      heading: "Look Up Your Order",
      lead: "Enter your order number to see where your order is and what happens next. You’ll find the number in the emails we sent you.",
      instead: (
        <>
          {turnOn} We also email you at each step. To ask about an order, write to <SupportEmail /> with your
          order number.
        </>
      ),
    },
  ],
  [
    pages.conversation,
    {
      heading: "Your messages",
      lead: "Read our replies and answer them. The link in our emails opens your conversation.",
      instead: (
        <>
          {turnOn} You can also write to <SupportEmail /> and quote your ticket number.
        </>
      ),
    },
  ],
  [
    pages.error,
    {
      heading: "Server Error",
      lead: "Something went wrong on our end. We're working to fix the issue. Please try again later.",
      instead: (
        <>
          Go back, or write to <SupportEmail />.
        </>
      ),
    },
  ],
  [
    pages.unauthorized,
    {
      heading: "Access Denied",
      lead: "You don't have permission to access the admin area. Only authorized administrators can access this section.",
      instead: turnOn,
    },
  ],
  [pages.signedIn, { ...staffOnly, heading: "Processing Authentication" }],
  [pages.signUp, { ...staffOnly, heading: "Sign up" }],
  [`${pages.accessAdmin}/*`, { ...staffOnly, heading: "Back office" }],
];

const frameOf = (path: string): PageFrame =>
  frames.find(([pattern]) => matchPath(pattern, path) !== null)?.[1] ?? staffOnly;

/** A framed page: the title of its tab until the script sets another, and its HTML. */
export function renderFrame(path: string, config: SiteConfig): { title: string; html: string } {
  const frame = frameOf(path);
  const html = renderToString(
    <StaticRouter location={path}>
      <SWRConfig value={{ fallback: knownOf(config) }}>
        <Routes>
          <Route element={<SiteLayout />}>
            <Route path="*" element={<Frame {...frame} />} />
          </Route>
        </Routes>
      </SWRConfig>
    </StaticRouter>,
  );
  return { title: frame.heading, html };
}

/** Stands until the app replaces it. */
function Frame({ heading, lead, instead }: PageFrame) {
  return (
    <div className="page-width py-12">
      <h1 className="text-28 sm:text-40">{heading}</h1>
      <p className="mt-3 max-w-measure text-18 text-muted">{lead}</p>
      <div className="needs-script mt-8">
        <p role="status" className="flex items-center gap-3 text-muted">
          <span className="spinner" aria-hidden="true" />
          Loading the page
        </p>
      </div>
      <div className="without-script mt-8 max-w-measure border-l-4 border-primary bg-surface p-5">
        <p className="font-[600]">This page needs JavaScript.</p>
        <p className="mt-1">{instead}</p>
      </div>
    </div>
  );
}

function SupportEmail() {
  const email = useConfig().data?.supportEmail;
  if (!email) return <span>us</span>;
  return (
    <a className="link" href={`mailto:${email}`}>
      {email}
    </a>
  );
}
