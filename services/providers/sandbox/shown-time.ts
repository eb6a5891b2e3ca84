import { type Html, html } from "../../mail/html.ts";

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  dateStyle: "medium",
  timeStyle: "medium",
});

/** A moment as a clock in London shows it. */
export const shownTime = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${london.format(at)}</time>`;
