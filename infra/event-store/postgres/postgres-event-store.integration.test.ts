import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { openPostgresSubject } from "../../../testing/event-store/postgres-subject-fixture.ts";

describeEventStoreContract("Postgres", openPostgresSubject);
