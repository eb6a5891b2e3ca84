import { type Automation, NoticeRefused } from "../../providers/gro/automation.ts";

/** A bug: an application was about to be sent although staff submit manually. Thrown before anything is sent. */
class SubmissionByHand extends Error {
  override name = "SubmissionByHand";
}

const refuse = async (): Promise<never> => {
  throw new SubmissionByHand("Submission is by hand: there is no automation service to call.");
};

/** Replaces the automation service if there is none. No task reaches it, and any callback is rejected. */
export const noAutomation: Automation = {
  submit: refuse,
  ask: refuse,
  statuses: refuse,
  readNotice: () => {
    throw new NoticeRefused("Submission is by hand: there is no automation service to ask.");
  },
};
