import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { saveFile } from "../save-file.ts";

/** POST …/application.pdf: the filled form for the GRO, which is a look at everything personal. @throws ApiError, 410 once destroyed */
export async function printApplication(orderNumber: string, reason: string): Promise<void> {
  await saveFile(await request("POST", adminApi.orderForm(orderNumber), { reason }));
}
