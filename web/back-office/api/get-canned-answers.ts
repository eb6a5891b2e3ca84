import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { answerSchema } from "./get-settings.ts";

const answers = z.object({ cannedAnswers: z.array(answerSchema), companyName: z.string() });

/** Answers with their `{{variables}}`, by title, and our name to fill in. GET /api/admin/settings/canned-answers. @throws ApiError */
export const useCannedAnswers = () =>
  useSWR(adminApi.setting("canned-answers"), () =>
    requestJson(answers, "GET", adminApi.setting("canned-answers")),
  );
