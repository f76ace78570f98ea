import { make, say } from "./page.js";

/** Files of a difference are found by a part of their path: the list and the files themselves show what fits. */
export function filterFiles() {
  const list = document.querySelector(".within-diff > ol");
  if (list === null || list.childElementCount < 2) return;
  const field = make("input", { type: "search", "aria-label": say().filterFiles, placeholder: say().filterFiles });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const entry of list.children) {
      const link = entry.querySelector("a");
      const isShown = (link?.textContent ?? "").toLowerCase().includes(wanted);
      entry.toggleAttribute("hidden", !isShown);
      document.querySelector(link?.getAttribute("href") ?? "#none")?.toggleAttribute("hidden", !isShown);
    }
  });
  list.before(field);
}
