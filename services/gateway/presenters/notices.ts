import { z } from "zod";

/** What a provider is told of its notice: it need not send it again. */
export const noticeTaken = z.object({ received: z.literal(true) }).meta({ id: "NoticeTaken" });
