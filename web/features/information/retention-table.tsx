import { useRetentionWords } from "../../site/config.ts";

const rowsFor = (kept: string) =>
  [
    [
      "Certificate details, GRO reference and signature",
      "immediately after the GRO accepts the application: within 3 minutes, typically in seconds",
    ],
    ["The same details, if you cancel or the order fails", "immediately"],
    ["Everything about an order that is never paid for", "24 hours after you placed it"],
    [
      "Name, address, email, phone, the reference of a refund by bank transfer, and our staff’s notes about your order",
      `${kept} after the order is complete, or when any refund or dispute that is open by then has ended`,
    ],
    [
      "Your messages to support, and our answers",
      `${kept} after the conversation is closed, or with the order it belongs to, if that is sooner`,
    ],
    [
      "The fingerprints we use to find your details",
      "with the details they were made from; the key that made them, once no orders from that month are left",
    ],
    [
      "Order number, amounts, dates and a record of each step",
      "kept for our accounts and as our record of what happened, without your name or details",
    ],
    [
      "Answers you have not sent yet",
      "never reach us: they stay in your browser tab and go when you close it",
    ],
  ] as const;

/** How long each kind of data is kept. */
export function RetentionTable() {
  const rows = rowsFor(useRetentionWords());
  return (
    <table className="mt-4 w-full">
      <caption className="sr-only">What we keep, and when we delete it</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Deleted</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, when]) => (
          <tr key={what} className="border-b border-hairline align-top">
            <th scope="row" className="w-1/2 py-3 pr-4 text-left font-[600]">
              {what}
            </th>
            <td className="py-3">{when}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
