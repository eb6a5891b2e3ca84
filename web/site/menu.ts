const openMenu = (): HTMLDetailsElement | null => document.querySelector("details[data-menu][open]");

/** Closes the phone's menu with Escape, by picking a link, and when a press or the focus goes elsewhere. */
export function closeMenuOnLeaving(): void {
  addEventListener("keydown", ({ key }) => {
    const menu = openMenu();
    if (key !== "Escape" || menu === null) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.closest("[data-menu]") === null) close();
  });
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-menu] :not(a, a *)") === null) close();
  });
}

function close(): void {
  const menu = openMenu();
  if (menu) menu.open = false;
}
