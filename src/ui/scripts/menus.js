/** Closes menus on Escape, on clicks outside of them, and on links to a place of the page. */
export function closeMenus() {
  const opened = () => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.menu[open]")]);
  document.addEventListener("click", ({ target }) => {
    const isJump = target instanceof Element && target.closest('.sheet a[href^="#"]') !== null;
    for (const menu of opened()) if (isJump || !menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  document.addEventListener("keydown", ({ key, target }) => {
    // The places to search in are shown while one of them has the focus.
    if (key === "Escape" && target instanceof HTMLElement && target.closest(".site .search") !== null) target.blur();
    const menu = key === "Escape" ? opened().at(-1) : undefined;
    if (menu === undefined) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
