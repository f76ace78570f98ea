import { make, say } from "./page.js";

/** Files of a difference are found by a part of their path: the list and the files themselves show what fits. */
export function filterFiles() {
  const list = document.querySelector(".tree > ul");
  const entries = [...(list?.querySelectorAll("li") ?? [])].filter((entry) => entry.querySelector("ul") === null);
  if (list === null || entries.length < 2) return;
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
    // A folder is there for what is shown in it.
    for (const folder of [...list.querySelectorAll("li:has(ul)")].reverse())
      folder.toggleAttribute("hidden", folder.querySelector("li[data-path]:not([hidden])") === null);
  });
  list.before(field);
}
