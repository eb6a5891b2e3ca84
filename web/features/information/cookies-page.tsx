import { ProsePage } from "./prose-page.tsx";

const kept = [
  {
    name: "A cookie for each order you place",
    why: "Lets this browser open, change or cancel the order.",
    until: "180 days have passed, or you clear it",
  },
  {
    name: "Your unfinished answers, in the tab’s storage, with the key to them if you saved them",
    why: "Keeps your answers if you reload the page or lose your connection, and deletes what you saved once you order.",
    until: "you finish the order or close the tab",
  },
  {
    name: "The key to a support conversation, in the tab’s storage",
    why: "Lets you reload the conversation without the key showing in the page’s address.",
    until: "you close the tab",
  },
  {
    name: "A marker, in the tab’s storage",
    why: "Makes sure that you see your latest changes. It is a number that says nothing about you.",
    until: "you close the tab",
  },
  {
    name: "The payment provider’s cookies, on the payment step only",
    why: "Help to prevent fraud. The provider sets them, and we cannot read them.",
    until: "the date that the provider sets",
  },
  {
    name: "The sign-in provider’s cookies, for our staff only",
    why: "Keep staff signed in.",
    until: "they sign out",
  },
] as const;

/** /cookies: what is kept in the browser. All of it is essential, so there is nothing to consent to. */
export default function CookiesPage() {
  return (
    <ProsePage
      title="Cookies"
      lead="We store only what is needed to do what you ask. No advertising, no tracking and no analytics."
    >
      <p>
        The law lets sites store essential items without asking, which is why there is no cookie banner. This
        is everything we store in your browser:
      </p>
      <dl>
        {kept.map(({ name, why, until }) => (
          <div key={name} className="border-b border-hairline py-4">
            <dt className="font-[600]">{name}</dt>
            <dd className="mt-1 text-muted">
              {why} Kept until {until}.
            </dd>
          </div>
        ))}
      </dl>
      <p>
        You can clear all of these in your browser’s settings. This does not affect your orders: open them
        again with the link in our emails.
      </p>
    </ProsePage>
  );
}
