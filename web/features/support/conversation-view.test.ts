import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, test } from "vitest";
import type { TicketView } from "../../../contract/tickets/conversation.ts";
import { ConversationView } from "./conversation-view.tsx";

test("a conversation that was deleted says when, and gives no reason that may be another", () => {
  const ticket: TicketView = {
    ticketNumber: "T-0000-0000",
    category: "dataRequest",
    status: "Closed",
    subject: null,
    createdAt: "2026-11-01T09:00:00.000Z",
    lastUpdated: "2026-11-28T09:05:00.000Z",
    orderNumber: null,
    mailContent: "link",
    messages: [],
    deletedAt: "2026-11-28T09:05:00.000Z",
  };
  const nothing = () => undefined;
  const view = createElement(ConversationView, {
    access: { key: "key" },
    ticket,
    onChange: nothing,
    onLeave: nothing,
  });
  const html = renderToStaticMarkup(createElement(MemoryRouter, null, view));
  expect(html).toContain("This conversation was deleted on 28 Nov 2026, 09:05:00.");
  expect(html).not.toContain("at the end of the time");
  expect(html).not.toContain("Send reply");
});
