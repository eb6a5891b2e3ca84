import { expect, it } from "vitest";
import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { anEvent, aStream, openPostgresSubject } from "../../../testing/event-store/store-fixture.ts";

describeEventStoreContract("Postgres", openPostgresSubject);

it("reads a stream together with the events at some positions, its own among them", async () => {
  const subject = await openPostgresSubject();
  const store = subject.open();
  const [one, other] = [aStream(), aStream()];
  const happened = ["A", "B"].map((type) => anEvent(type));
  const { position } = await store.append({ stream: one, expectedRevision: "none", events: happened });
  const elsewhere = await store.append({ stream: other, expectedRevision: "none", events: [anEvent("C")] });
  const never = elsewhere.position.replace(/^0/, "1");
  const read = await store.readStreamAndAt?.(one, 1, [position, elsewhere.position, never]);
  expect(read?.events).toEqual(await store.readStream(one, 1));
  expect(read?.at.map(({ type }) => type).toSorted()).toEqual(["B", "C"]);
  await store.close();
  await subject.dispose();
});
