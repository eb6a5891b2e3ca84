import { parentPort } from "node:worker_threads";
import type { ArrivedMail } from "./mail-in.ts";
import { readMail } from "./read-mail.ts";

type Question = {
  readonly mail: Pick<ArrivedMail, "envelopeFrom" | "raw">;
  readonly authServer: string | undefined;
};

parentPort?.on("message", async (question: Question | "end") => {
  if (question === "end") parentPort?.close();
  else parentPort?.postMessage(await readMail(question.mail, question));
});
parentPort?.postMessage("ready");
