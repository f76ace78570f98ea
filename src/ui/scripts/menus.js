/** Closes menus on Escape and on clicks outside of them. */
export function closeMenus() {
  const opened = () => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.menu[open]")]);
  document.addEventListener("click", ({ target }) => {
    for (const menu of opened()) if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    const menu = key === "Escape" ? opened().at(-1) : undefined;
    if (menu === undefined) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
