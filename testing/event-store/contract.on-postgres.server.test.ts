import { describeEventStoreContract } from "./contract.ts";
import { openPostgresSubject } from "./postgres-subject-fixture.ts";

describeEventStoreContract("the server at POSTGRES_TEST_URL", openPostgresSubject);
