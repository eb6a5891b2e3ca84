import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { keyIn, type LinkKey, useKeyOfLink } from "../../mailed-link.ts";
import { startNewOrder, useDraft } from "../../ordering/current-order.ts";
import type { Draft } from "../../ordering/draft/draft.ts";
import { deleteSavedDraft, losesUnfinished, openSavedDraft } from "../../ordering/draft/saved-draft.ts";
import { pages } from "../../paths.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";

/** Where the tab keeps the latest link's fragment until its order is opened or deleted, for a reload. */
const storedLink = "saved-order-link";

const keptLink = (): LinkKey | null => keyIn({ search: "", hash: sessionStorage.getItem(storedLink) ?? "" });

/** A later link stays. */
function forgetLink(key: string): void {
  if (keptLink()?.key === key) sessionStorage.removeItem(storedLink);
}

/** /order/saved: opens an unfinished order by its emailed link, or deletes it. */
export default function SavedOrderPage() {
  const [link, setLink] = useState(keptLink);
  const hasKey = useKeyOfLink((found) => {
    sessionStorage.setItem(storedLink, `#${found.use}=${found.key}`);
    setLink(found);
  });
  if (hasKey) return <Waiting />;
  if (!link || !/^[\w-]{43}$/.test(link.key)) return <NoLongerWorks />;
  return link.use === "delete" ? (
    <DeleteSaved key={link.key} linkKey={link.key} />
  ) : (
    <OpenSaved linkKey={link.key} />
  );
}

/** Goes on in the wizard, where the order was left; asks first where another order in this tab would be lost. */
function OpenSaved({ linkKey }: { linkKey: string }) {
  const navigate = useNavigate();
  const [failed, setFailed] = useState<"unknown" | "fault">();
  const [other, setOther] = useState<Draft>();
  const goOn = useCallback(
    (draft: Draft): void => {
      startNewOrder(draft);
      forgetLink(linkKey);
      void navigate(pages.order, { replace: true, state: { step: draft.step } });
    },
    [navigate, linkKey],
  );
  const isHere = useRef(true);
  const open = useCallback(async (): Promise<void> => {
    setFailed(undefined);
    try {
      const draft = await openSavedDraft(linkKey);
      // A late answer must not overwrite what was entered meanwhile on another page.
      if (!isHere.current) return;
      if (!draft) {
        forgetLink(linkKey);
        return setFailed("unknown");
      }
      if (losesUnfinished(draft)) return setOther(draft);
      goOn(draft);
    } catch {
      // The request helper has logged it.
      setFailed("fault");
    }
  }, [linkKey, goOn]);
  useEffect(() => {
    isHere.current = true;
    void open();
    return () => {
      isHere.current = false;
    };
  }, [open]);
  if (other) {
    const keep = (): void => {
      forgetLink(linkKey);
      void navigate(pages.order, { replace: true });
    };
    return <ChooseOrder saved={other} onOpen={() => goOn(other)} onKeep={keep} />;
  }
  if (failed === undefined) return <Waiting />;
  if (failed === "unknown") return <NoLongerWorks />;
  return (
    <Frame title="Your unfinished order">
      <p role="alert" className="mt-6">
        We couldn’t open your order. Please try again.
      </p>
      <button type="button" className="button button-primary mt-6" onClick={() => void open()}>
        Try Again
      </button>
    </Frame>
  );
}

interface ChooseOrderProps {
  saved: Draft;
  onOpen: () => void;
  onKeep: () => void;
}

function ChooseOrder({ saved, onOpen, onKeep }: ChooseOrderProps) {
  const here = useDraft();
  return (
    <Frame title="You have an unfinished order in this tab">
      <p className="mt-6 max-w-measure">
        It is for {certificateOf(here)}. The order that you saved is for {certificateOf(saved)}. If you open
        the saved order here, you will lose what you entered in this tab.
      </p>
      <p className="mt-4 max-w-measure">
        To keep both, carry on with this one, and open the link in our email in another tab.
      </p>
      <div className="mt-6 flex flex-wrap gap-4">
        <button type="button" className="button button-primary" onClick={onOpen}>
          Open the Saved Order
        </button>
        <button type="button" className="button button-outlined" onClick={onKeep}>
          Keep the Order in This Tab
        </button>
      </div>
    </Frame>
  );
}

const certificateOf = ({ certificateType, others }: Draft): string =>
  others.length > 0
    ? `${others.length + 1} certificates`
    : `${certificateType === "Adoption" ? "an" : "a"} ${certificateType.toLowerCase()} certificate`;

type Deletion = "asked" | "busy" | "failed" | "done" | "unknown";

/** A press, not the link alone: mail programs open links by themselves. */
function DeleteSaved({ linkKey }: { linkKey: string }) {
  const [deletion, setDeletion] = useState<Deletion>("asked");
  const remove = async (): Promise<void> => {
    setDeletion("busy");
    try {
      const isDeleted = await deleteSavedDraft(linkKey);
      forgetLink(linkKey);
      setDeletion(isDeleted ? "done" : "unknown");
    } catch {
      // The request helper has logged it.
      setDeletion("failed");
    }
  };
  if (deletion === "unknown") return <NoLongerWorks />;
  if (deletion === "done") {
    return (
      <Frame title="Your unfinished order is deleted">
        <p role="status" className="mt-6 max-w-measure">
          The link in our email no longer works. Within a few minutes, we’ll destroy the key to what you
          entered. After that, no one can read it.
        </p>
      </Frame>
    );
  }
  return (
    <Frame title="Delete your unfinished order">
      <p className="mt-6 max-w-measure">
        We’ll delete what you entered, and the link in our email will stop working. This can’t be undone.
      </p>
      {deletion === "failed" && (
        <p role="alert" className="mt-4 text-danger">
          We couldn’t delete it. Please try again.
        </p>
      )}
      <BusyButton
        type="button"
        className="button button-primary mt-6"
        busy={deletion === "busy"}
        onClick={() => void remove()}
      >
        {deletion === "busy" ? "Deleting..." : "Delete What I Entered"}
      </BusyButton>
    </Frame>
  );
}

function NoLongerWorks() {
  return (
    <Frame title="This link does not work">
      <p className="mt-6 max-w-measure">
        It may be incomplete, or more than 7 days old. A link also stops working once the order has been paid
        for, deleted or saved again. Try the link in our latest email, or start a new order.
      </p>
      <Link className="button button-primary mt-6" to={pages.order}>
        Start an Order
      </Link>
    </Frame>
  );
}

function Waiting() {
  return (
    <Frame title="Your unfinished order">
      <p role="status" className="mt-6">
        <span className="spinner" aria-hidden="true" />
        <span className="sr-only">Opening your order</span>
      </p>
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title={title}>{title}</PageHeading>
      {children}
    </div>
  );
}
