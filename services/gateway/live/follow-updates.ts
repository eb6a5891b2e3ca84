import * as overview from "../../../contract/back-office/overview.ts";
import { staffRoute } from "../routing/route.ts";

export const followUpdates = staffRoute(
  overview.followUpdates,
  ({ updates }) =>
    async ({ request, response, by }) => {
      await updates.open(request, response, by.session);
      return undefined;
    },
);
