import { describeEventStoreContract } from "./contract.ts";
import { openPostgresSubject } from "./postgres-subject-fixture.ts";

describeEventStoreContract("Postgres", openPostgresSubject);
