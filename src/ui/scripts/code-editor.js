import { say, tell } from "./page.js";

/** Loads the code editor for the fields that hold files. If it does not load, the fields stay plain. */
export async function editCode() {
  for (const field of /** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll("textarea[data-editor]"))) {
    const { mountEditor } = await import(/** @type {string} */ (field.dataset.editor));
    const nameField = field.form?.elements.namedItem("path") ?? null;
    await mountEditor(field, {
      label: field.labels?.[0]?.textContent ?? "",
      indent: field.dataset.indent ?? "  ",
      tabSize: Number(field.dataset.tabSize ?? 4),
      nameField: nameField instanceof HTMLInputElement ? nameField : null,
    });
  }
}

/** Shows the preview of a change without leaving the page. */
export function previewChanges() {
  // Before the listeners of drafts and of second clicks: nothing is sent.
  addEventListener(
    "submit",
    async (event) => {
      const { submitter, target: form } = event;
      if (!(form instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement) || submitter.value !== "preview") return;
      event.preventDefault();
      event.stopPropagation();
      const fields = new FormData(form, submitter);
      // The server deletes the draft of an accepted form with this field.
      fields.delete("_draft");
      // An upload form would be another type of request.
      const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
      const response = await fetch(form.getAttribute("action") ?? "", { method: "POST", body }).catch(() => undefined);
      const page = response && new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page?.getElementById("change-preview");
      if (!fresh) {
        tell(submitter, say().noPreview);
        return;
      }
      const known = document.getElementById("change-preview");
      if (known === null) form.before(fresh);
      else known.replaceWith(fresh);
      fresh.tabIndex = -1;
      fresh.focus();
      fresh.scrollIntoView({ block: "start" });
    },
    true,
  );
}
