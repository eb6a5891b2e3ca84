import type { z } from "zod/mini";
import type { ReadOnly, Schema } from "../../../contract/request.ts";

/**
 * What a presenter answers: its schema's output, which nobody changes any more. The same schema stands in the API's document, so a field
 * that is not in it does not compile.
 */
export type Presented<Answer extends Schema> = ReadOnly<z.output<Answer>>;
