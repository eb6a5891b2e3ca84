import { describeEventStoreContract } from "./contract.ts";
import { openPostgresSubject } from "./store-fixture.ts";

describeEventStoreContract("the server at POSTGRES_TEST_URL", openPostgresSubject);
