import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { openPostgresSubject } from "../../../testing/event-store/store-fixture.ts";

describeEventStoreContract("Postgres", openPostgresSubject);
