import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { openPostgresSubject } from "../../../testing/event-store/contract-subject.ts";

describeEventStoreContract("Postgres", openPostgresSubject);
