import type { TrackedOrder } from "../../contract/orders/tracking.ts";

/** A submitted order as shown on the tracking page to someone who knows only its number. */
export const trackedOrder: TrackedOrder = {
  id: null,
  orderNumber: "7K3M-Q9TX-2HVD4",
  status: "Processing",
  createdAt: "2026-11-20T10:00:00Z",
  total: 45,
  items: [],
  statusHistory: [],
  lastUpdated: "2026-11-20T10:00:00Z",
  promise: { despatchBy: "2026-12-11", receivedOn: "2026-11-20" },
  receipt: null,
  holder: false,
  certificateType: null,
  canCancel: false,
  canAmend: false,
  question: false,
  questionText: null,
  cancellationRequested: false,
  unreachedBy: null,
  contactChange: null,
  despatch: null,
  canReportArrival: false,
  recipientName: null,
  customerReference: null,
  orderedTogether: [],
};
