import { openPostgresSubject } from "../../testing/event-store/contract-subject.ts";
import { describeHandlerOn } from "../../testing/event-store/handler-contract.ts";

describeHandlerOn("the server at POSTGRES_TEST_URL", openPostgresSubject);
