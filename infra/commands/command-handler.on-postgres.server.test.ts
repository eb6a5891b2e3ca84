import { describeHandlerOn } from "../../testing/event-store/handler-contract.ts";
import { openPostgresSubject } from "../../testing/event-store/store-fixture.ts";

describeHandlerOn("the server at POSTGRES_TEST_URL", openPostgresSubject);
