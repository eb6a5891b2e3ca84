import { useRetentionWords } from "../../api/get-config.ts";

const rowsFor = (kept: string) =>
  [
    [
      "Certificate details, GRO reference and signature",
      "right after the GRO has accepted the application: within 3 minutes, typically in seconds",
    ],
    ["The same, when you cancel or the order fails", "at once"],
    ["Everything of an order that is never paid for", "24 hours after you made it"],
    ["Name, address, e-mail, phone and order number", `${kept} after the order is complete`],
    ["What you write to support", `${kept} after the conversation is closed`],
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
