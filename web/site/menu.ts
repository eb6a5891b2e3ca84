/**
 * Closes the phone's menu when a link is picked and when the focus goes elsewhere. With Escape, or a press elsewhere,
 * the browser does so itself.
 */
export function closeMenuOnLeaving(): void {
  const menu = () => document.getElementById("menu");
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#menu a") !== null) menu()?.hidePopover();
  });
  addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.closest("#menu") === null) menu()?.hidePopover();
  });
}
