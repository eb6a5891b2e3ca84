import { ProsePage } from "./prose-page.tsx";

const kept = [
  {
    name: "A cookie for each order you make",
    why: "so that this browser, and no other, can open, change or cancel the order",
    until: "180 days have passed, or you clear it",
  },
  {
    name: "Your unfinished answers, in the tab’s own storage",
    why: "so that a reload or a lost connection loses nothing",
    until: "you finish the order or close the tab",
  },
  {
    name: "The key of a support conversation, in the tab’s own storage",
    why: "so that the page can be reloaded; it is taken out of the address",
    until: "you close the tab",
  },
  {
    name: "How far our records had come, in the tab’s own storage",
    why: "so that you see what you have just done; a number that says nothing about you",
    until: "you close the tab",
  },
  {
    name: "The payment provider’s own cookies, on the payment step only",
    why: "to prevent fraud; it sets them, and we cannot read them",
    until: "the provider says",
  },
  {
    name: "The sign-in provider’s cookies, for our own staff only",
    why: "so that they stay signed in",
    until: "they sign out",
  },
] as const;

/** /cookies: what is kept in the browser. All of it is needed for what one asked for, so there is nothing to consent to. */
export default function CookiesPage() {
  return (
    <ProsePage
      title="Cookies"
      lead="We keep only what is needed to do what you asked for. No advertising, no tracking, no statistics about you."
    >
      <p>
        The law lets a site keep such things without asking, which is why no banner asks you. This is all of
        it:
      </p>
      <dl>
        {kept.map(({ name, why, until }) => (
          <div key={name} className="border-b border-hairline py-4">
            <dt className="font-[600]">{name}</dt>
            <dd className="mt-1 text-muted">
              Kept {why}. Until {until}.
            </dd>
          </div>
        ))}
      </dl>
      <p>
        You can clear all of it in your browser’s settings. Your orders stay where they are: open them with
        the link in our e-mails.
      </p>
    </ProsePage>
  );
}
