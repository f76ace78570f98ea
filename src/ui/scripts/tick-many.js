import { make, say } from "./page.js";

/** Adds a checkbox for all entries of a list, and shows the actions when one is ticked. */
export function tickMany() {
  const form = document.querySelector("details.bulk");
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".issues .tick-box"))];
  if (!(form instanceof HTMLDetailsElement) || boxes.length === 0) return;
  const all = make("input", { type: "checkbox", class: "tick-box", "aria-label": say().tickAll });
  const count = make("span", { class: "soft", role: "status" });
  document.querySelector(".list-header")?.prepend(make("span", { class: "tick-all" }, [all, count]));
  const tell = () => {
    const ticked = boxes.filter(({ checked }) => checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    count.textContent = ticked === 0 ? "" : `${ticked} / ${boxes.length}`;
    if (ticked > 0) form.open = true;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  for (const box of boxes) box.addEventListener("change", tell);
  tell();
}

/** Ticks the focused entry. @returns {boolean} whether there is one */
export function tickFocused() {
  const box = document.activeElement?.closest(".issues > li")?.querySelector(".tick-box");
  if (!(box instanceof HTMLInputElement)) return false;
  box.click();
  return true;
}
