import type { z } from "zod/mini";
import type { ReadOnly, Schema } from "../../../contract/request.ts";

/**
 * A presenter's result: its schema's output, read-only. The API document is made from the same schema, so a field that
 * it lacks does not compile.
 */
export type Presented<Answer extends Schema> = ReadOnly<z.output<Answer>>;
