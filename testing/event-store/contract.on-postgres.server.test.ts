import { describeEventStoreContract } from "./contract.ts";
import { openPostgresSubject } from "./contract-subject.ts";

describeEventStoreContract("the server at POSTGRES_TEST_URL", openPostgresSubject);
