import * as z from "zod/mini";
import type { ApiRequest } from "../../contract/request.ts";

/** How a request reads its body, where that is the same every day. */
export function bodyOf({ asked, path }: Pick<ApiRequest, "asked" | "path">) {
  if (typeof asked === "function") throw new Error(`What ${path} takes depends on the day.`);
  return {
    parse: (body: unknown): unknown => z.parse(asked, body),
    safeParse: (body: unknown) => z.safeParse(asked, body),
  };
}
