import { say, tell } from "./page.js";

/** Saves each change in a panel of the sidebar at once, and shows the new values and the new timeline entries. */
export function saveSidePanels() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(".panel form"))) saveChanges(form);
}

/** @param {HTMLFormElement} form */
function saveChanges(form) {
  /** Changes are saved one after another. */
  let saved = Promise.resolve();
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !["checkbox", "radio"].includes(target.type)) return;
    saved = saved.then(() => save(form)).catch(() => tell(form, say().notSaved));
  });
}

/** @param {HTMLFormElement} form */
async function save(form) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(`${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = form.closest(".part");
  const now = page.querySelector(`#${part?.id}`);
  const values = part?.querySelector(".values");
  const newValues = now?.querySelector(".values");
  if (!values || !newValues) throw new Error("no values");
  values.replaceWith(document.adoptNode(newValues));
  // A label can replace another one of its scope.
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=checkbox], input[type=radio]"))) {
    const other = now?.querySelector(`input[name="${input.name}"][value="${CSS.escape(input.value)}"]`);
    if (other instanceof HTMLInputElement) input.checked = other.checked;
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[data-saved]"))) {
    const other = now?.querySelector(`input[name="${input.name}"]`);
    if (other instanceof HTMLInputElement) input.value = other.value;
  }
  showEvents(page);
  form.parentElement?.querySelector(".status-text")?.remove();
}

/** Adds the timeline entries that are new, in order. @param {Document} page */
function showEvents(page) {
  const timeline = document.querySelector("ol.timeline");
  for (const entry of page.querySelectorAll("ol.timeline > .event")) {
    if (entry.id !== "" && document.getElementById(entry.id) === null) timeline?.append(document.adoptNode(entry));
  }
}
