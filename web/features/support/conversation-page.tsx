import { PageHeading } from "../../ui/page-heading.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { FindConversation } from "./find-conversation.tsx";
import { useConversation } from "./use-conversation.ts";

/** /support/view: a conversation with us, by its private link or by ticket number and email address. */
export default function ConversationPage() {
  const { conversation, enter, leave, update } = useConversation();
  if (conversation.at === "open") {
    const { access, ticket } = conversation;
    return <ConversationView access={access} ticket={ticket} onChange={update} onLeave={leave} />;
  }
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title="Your conversation with us">Your conversation with us</PageHeading>
      {conversation.at === "loading" ? (
        <p role="status" className="mt-6">
          <span className="spinner" aria-hidden="true" />
          <span className="sr-only">Loading the conversation</span>
        </p>
      ) : (
        <FindConversation notice={conversation.notice} onFind={enter} />
      )}
    </div>
  );
}
