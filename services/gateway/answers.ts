import type { z } from "zod";

/** One form that a success may have: what its Content-Type says, and the shape of JSON; null for bytes and text. */
export type Content = {
  readonly type: string;
  readonly schema: z.ZodType | null;
  readonly description?: string;
};

/** What a route answers when nothing refuses it, for the API's document. Its tests hold every answer to it. */
export type Success = { readonly status: number; readonly contents: readonly Content[] };

const json = (status: number, schema: z.ZodType): Success => ({
  status,
  contents: [{ type: "application/json", schema }],
});

/** 200 with JSON. */
export const answers = (schema: z.ZodType): Success => json(200, schema);

/** 201 with JSON: something was made. */
export const creates = (schema: z.ZodType): Success => json(201, schema);

/** 202 with JSON: it has begun, and takes its time. */
export const begins = (schema: z.ZodType): Success => json(202, schema);

/** 204: it is done, and there is nothing to say. */
export const saysNothing: Success = { status: 204, contents: [] };

/** 200 with a file to keep; of several types, the request says which. */
export const file = (...types: readonly string[]): Success => ({
  status: 200,
  contents: types.map((type) => ({ type, schema: null, description: "A file, as an attachment" })),
});

/** 200 with server-sent events, for as long as both sides like. @param data the JSON that each event named `changed` carries */
export const events = (data: z.ZodType, description: string): Success => ({
  status: 200,
  contents: [{ type: "text/event-stream", schema: data, description }],
});
