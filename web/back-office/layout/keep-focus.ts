/** A control that has, or had, the focus, and where on the page it is. */
interface Place {
  readonly control: HTMLElement;
  /** What it belongs to, innermost first. */
  readonly groups: readonly Element[];
  /** The controls after it in its outermost group. */
  readonly following: readonly HTMLElement[];
}

const groupSelector = "fieldset, nav, form, section, tbody, dialog";
const rowSelector = "tr[data-row]";
const controlSelector = "a[href], button, input, select, textarea, summary";

/**
 * Keeps the focus on the page: when the focused control leaves it, because it was used or because the page changed,
 * the focus moves to the next control of its group, else to the last one, else to the heading. Browsers would leave
 * it nowhere, and the next Tab would start at the top.
 * @returns stops it
 */
export function keepFocus(): () => void {
  // The dialog's place is apart: the control that opened the dialog can leave the page meanwhile.
  let onPage: Place | undefined;
  let inDialog: Place | undefined;
  const current = (): Place | undefined =>
    document.querySelector("dialog[open]") === null ? onPage : inDialog;

  const focused = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    if (target.closest("dialog")) inDialog = placeOf(target);
    else onPage = placeOf(target);
  };
  // A control that was left, by a click beside it for instance, may go without taking the focus anywhere. Whether it
  // was left or removed shows once the page has changed.
  const left = (): void =>
    queueMicrotask(() => {
      const place = current();
      if (!place || isLost(place) || place.control.matches(":focus")) return;
      if (place === onPage) onPage = undefined;
      else inDialog = undefined;
    });
  const observer = new MutationObserver(() => {
    const place = current();
    if (document.activeElement === document.body && place && isLost(place)) moveFrom(place);
  });

  document.addEventListener("focusin", focused);
  document.addEventListener("focusout", left);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", focused);
    document.removeEventListener("focusout", left);
    observer.disconnect();
  };
}

function placeOf(control: HTMLElement): Place {
  const groups: Element[] = [];
  for (let at: Element | null = control; at; at = at.parentElement)
    if (at.matches(groupSelector)) groups.push(at);
  const all = controlsIn(groups.at(-1), control);
  return { control, groups, following: all.slice(all.indexOf(control) + 1) };
}

/** Whether it can no longer have the focus: the button that opened a dialog may be disabled by what came of it. */
const isLost = ({ control }: Place): boolean => !control.isConnected || control.matches(":disabled");

/** The controls of a group; its rows, if `like` is a row. */
const controlsIn = (group: Element | undefined, like: HTMLElement): HTMLElement[] => [
  ...(group?.querySelectorAll<HTMLElement>(like.matches(rowSelector) ? rowSelector : controlSelector) ?? []),
];

function moveFrom({ control, groups, following }: Place): void {
  for (const group of groups.filter(({ isConnected }) => isConnected)) {
    if (following.some((next) => group.contains(next) && takesFocus(next))) return;
    if (controlsIn(group, control).reverse().some(takesFocus)) return;
  }
  document.querySelector("h1")?.focus({ preventScroll: true });
}

/** Focuses it, unless it is gone, disabled or hidden. */
function takesFocus(control: HTMLElement): boolean {
  control.focus();
  return document.activeElement === control;
}
