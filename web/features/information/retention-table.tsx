import { useRetentionWords } from "../../api/get-config.ts";

const rowsFor = (kept: string) =>
  [
    [
      "Certificate details, GRO reference and signature",
      "right after the GRO has accepted the application: within 3 minutes, typically in seconds",
    ],
    ["The same, when you cancel or the order fails", "at once"],
    ["Everything of an order that is never paid for", "24 hours after you made it"],
    [
      "Name, address, e-mail, phone, the reference of a refund by bank transfer, and what our staff noted about your order",
      `${kept} after the order is complete, or once a refund or a dispute about it that is then open has ended`,
    ],
    [
      "What you write to support, and our answers",
      `${kept} after the conversation is closed, or with the order that it belongs to, if that is sooner`,
    ],
    [
      "The fingerprints by which we find you again",
      "with the details they were made of; the key they were made with, once no order of its month is left",
    ],
    [
      "Order number, amounts, dates, and what was done when",
      "kept as our accounts and our record of what happened; your name and details are not in it",
    ],
    ["Answers you have not sent yet", "never reach us: they are in your browser tab and go with it"],
  ] as const;

/** What is kept how long, a line for each kind. */
export function RetentionTable() {
  const rows = rowsFor(useRetentionWords());
  return (
    <table className="mt-4 w-full">
      <caption className="sr-only">What we keep, and when it is destroyed</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Destroyed</th>
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
