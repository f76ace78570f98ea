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

/** Narrows the links of a menu to those that contain the text of its field, and moves among them with the arrow keys. */
export function narrowMenus() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".menu [data-narrow]"))) {
    const menu = field.closest("details");
    const entries = () => /** @type {HTMLElement[]} */ ([...(menu?.querySelectorAll(".sheet [data-value]") ?? [])]);
    const narrow = () => {
      const wanted = field.value.trim().toLowerCase();
      for (const entry of entries()) entry.toggleAttribute("hidden", !(entry.textContent ?? "").toLowerCase().includes(wanted));
    };
    field.addEventListener("input", narrow);
    menu?.addEventListener("toggle", () => {
      if (!menu.open) return;
      for (const other of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu[open]")))
        if (other !== menu) other.open = false;
      field.value = "";
      narrow();
      field.focus();
    });
    field.form?.addEventListener("submit", (event) => {
      const [entry, ...others] = entries().filter((one) => !one.hidden);
      if (entry === undefined || others.length > 0) return;
      event.preventDefault();
      entry.click();
    });
    menu?.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      if (document.querySelector(".suggestions:not([hidden])") !== null) return;
      const shown = entries().filter((entry) => !entry.hidden);
      const all = [field, ...shown.map((entry) => entry.querySelector("input") ?? entry)];
      const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length]?.focus();
      event.preventDefault();
    });
  }
}
