import { openPostgresSubject } from "../../infra/event-store/postgres-subject-fixture.ts";
import { describeHandlerOn } from "./handler-contract.ts";

describeHandlerOn("the server at POSTGRES_TEST_URL", openPostgresSubject);
