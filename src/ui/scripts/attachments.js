import { ask, say, tell } from "./page.js";

/** Files that are pasted or dropped into a text hang on what it belongs to, and stand in it as a link. */
export function attachFiles() {
  for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll("textarea[data-attach]"))) {
    const take = (/** @type {DragEvent | ClipboardEvent} */ event, /** @type {DataTransfer | null} */ data) => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      for (const file of files) void attach(area, file);
    };
    area.addEventListener("paste", (event) => take(event, event.clipboardData));
    area.addEventListener("drop", (event) => take(event, event.dataTransfer));
    area.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
  }
}

/**
 * @param {HTMLTextAreaElement} area
 * @param {File} file
 */
async function attach(area, file) {
  const texts = say();
  tell(area, `${texts.attaching} ${file.name}`);
  const form = new FormData();
  form.set("attachment", file);
  try {
    const { name, browser_download_url: url } = await (await ask("POST", area.dataset.attach ?? "", form)).json();
    const label = name.replace(/[[\]\\]/g, "\\$&");
    area.setRangeText(`${file.type.startsWith("image/") ? "!" : ""}[${label}](${new URL(url).pathname})`, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    tell(area, `${texts.attached} ${file.name}`);
  } catch {
    tell(area, `${texts.notAttached} ${file.name}`);
  }
}
