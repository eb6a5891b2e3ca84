import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ticketCategories, ticketCategory } from "../../domain/ticket/vocabulary.ts";
import { bodyOf } from "../../testing/contract/request-body.ts";
import type { Schema } from "../request.ts";
import { openTicketRequest, replyInTicket, viewTicket } from "./conversation.ts";

const answers = {
  name: " Siân Rhys ",
  email: "sian.rhys@post.example",
  category: "question",
  subject: "Opening hours",
  message: "Are you open on Sunday?\nThank you.",
};

const errorsOf = (schema: Schema, body: unknown) =>
  Object.fromEntries(
    (z.safeParse(schema, body).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]),
  );

describe("the contact form", () => {
  it("takes what a customer types, tidied, and the order's number however it is typed", () => {
    expect(openTicketRequest.parse(answers)).toEqual({
      ...answers,
      name: "Siân Rhys",
      orderNumber: null,
      mailContent: "link",
    });
    for (const orderNumber of ["", "  ", null]) {
      expect(openTicketRequest.parse({ ...answers, orderNumber }).orderNumber).toBeNull();
    }
    const typed = openTicketRequest.parse({ ...answers, orderNumber: " 0000 0000 oooo0 " });
    expect(typed.orderNumber).toBe("0000-0000-00000");
  });

  it("names each field that is missing, in words a form can show", () => {
    expect(errorsOf(openTicketRequest, {})).toEqual({
      name: "Name is required",
      email: "Please enter a valid email address",
      category: "Choose what your message is about",
      subject: "Subject is required",
      message: "Message is required",
    });
  });

  it.each([
    ["name", "x".repeat(101), "Use 100 characters or fewer"],
    ["email", "sian", "Please enter a valid email address"],
    ["category", "weather", "Choose what your message is about"],
    ["subject", "x".repeat(151), "Use 150 characters or fewer"],
    ["message", "x".repeat(5_001), "Use 5000 characters or fewer"],
    ["message", "   ", "Message is required"],
    ["orderNumber", "0000-0000-00001", "Check the order number, or leave it blank"],
  ])("refuses %s '%.12s…' with its own message", (field, value, message) => {
    expect(errorsOf(openTicketRequest, { ...answers, [field]: value })).toEqual({ [field]: message });
  });

  it("offers each category once, with words for it", () => {
    expect(ticketCategories.map(({ id }) => id)).toEqual(ticketCategory.options);
    expect(new Set(ticketCategories.map(({ label }) => label)).size).toBe(ticketCategories.length);
  });
});

describe("who asks for a ticket", () => {
  const credentials = bodyOf(viewTicket);
  const reply = bodyOf(replyInTicket);

  it("shows the key of the link, or number and email address; the key counts when there are both", () => {
    expect(credentials.parse({ key: " abc " })).toEqual({ key: "abc" });
    expect(credentials.parse({ ticketNumber: "t 0000 0000 00000", email: "a@b.example" })).toEqual({
      ticketNumber: "T-0000-0000-00000",
      email: "a@b.example",
    });
    expect(credentials.parse({ key: "abc", ticketNumber: "1", email: "2" })).toEqual({ key: "abc" });
  });

  it("names the missing field", () => {
    const access = (body: unknown) => credentials.safeParse(body).error?.issues.map(({ message }) => message);
    expect(access({})).toEqual(["Ticket number is required", "Please enter a valid email address"]);
    expect(access({ key: 5 })).toEqual(["Key is required"]);
    expect(access({ ticketNumber: "T-1", email: "a@b.example" })).toBeUndefined();
  });

  it("writes a reply beside either, and hears of every mistake at once", () => {
    expect(reply.parse({ key: "abc", message: " Thanks " })).toEqual({
      key: "abc",
      message: "Thanks",
    });
    const nothing = reply.safeParse({}).error?.issues.map(({ message }) => message);
    expect(nothing?.sort()).toEqual([
      "Message is required",
      "Please enter a valid email address",
      "Ticket number is required",
    ]);
  });
});
