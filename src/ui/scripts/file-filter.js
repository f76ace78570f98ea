import { make, say } from "./page.js";

/** Filters the files of a diff by a part of their path, in the list and below it. */
export function filterFiles() {
  const list = document.querySelector(".tree[data-filters] > ul");
  if (list === null) return;
  const entries = [...list.querySelectorAll("li")].filter((entry) => entry.querySelector("ul") === null);
  const field = make("input", { type: "search", "aria-label": say().filterFiles, placeholder: say().filterFiles });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const entry of entries) {
      const link = entry.querySelector("a");
      const isShown = (entry.dataset.path ?? link?.textContent ?? "").toLowerCase().includes(wanted);
      entry.toggleAttribute("hidden", !isShown);
      const address = link?.getAttribute("href") ?? "";
      if (address.startsWith("#")) document.querySelector(address)?.toggleAttribute("hidden", !isShown);
    }
    // Folders without visible files are hidden.
    for (const folder of [...list.querySelectorAll("li:has(ul)")].reverse())
      folder.toggleAttribute("hidden", folder.querySelector("li[data-path]:not([hidden])") === null);
  });
  list.before(field);
}
