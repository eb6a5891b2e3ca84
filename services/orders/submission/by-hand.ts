import { type Automation, NoticeRefused } from "../../providers/gro/automation.ts";

/** Where an application would have left the house though staff submit everything by hand: a fault of ours, found before anything was sent. */
class NobodyToSubmit extends Error {
  override name = "NobodyToSubmit";
}

const refuse = async (): Promise<never> => {
  throw new NobodyToSubmit("Submission is by hand: there is no automation service to call.");
};

/** In the place of the automation service where there is none. No duty leads here, and whoever calls back is nobody of ours. */
export const nobodySubmits: Automation = {
  submit: refuse,
  ask: refuse,
  statuses: refuse,
  readNotice: () => {
    throw new NoticeRefused(
      "Submission is by hand: there is no automation service that could tell anything.",
    );
  },
};
