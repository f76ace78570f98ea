import { ask, make, makeButton, say, tell } from "./page.js";

/** Number of uploads in progress for each text. @type {Map<HTMLTextAreaElement, number>} */
const uploading = new Map();

/** Files that are pasted, dropped or chosen in a text area are attached to its issue or comment, and linked in the text. */
export function attachFiles() {
  document.addEventListener("submit", holdBack, true);
  for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll("textarea[data-attach]"))) {
    /** @param {Iterable<File>} files */
    const attachAll = (files) => {
      for (const file of files) void attach(area, file);
    };
    const take = (/** @type {DragEvent | ClipboardEvent} */ event, /** @type {DataTransfer | null} */ data) => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      attachAll(files);
    };
    area.addEventListener("paste", (event) => take(event, event.clipboardData));
    area.addEventListener("drop", (event) => take(event, event.dataTransfer));
    area.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    offerChoice(area, attachAll);
  }
}

/** A text that is sent before its uploads are complete would not show them. @param {SubmitEvent} event */
function holdBack(event) {
  const waiting = [...uploading.keys()].find((area) => area.form === event.target);
  if (waiting === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  tell(waiting, say().stillUploading);
}

/**
 * Adds a button, for users who can neither paste nor drop.
 * @param {HTMLTextAreaElement} area
 * @param {(files: Iterable<File>) => void} attachAll
 */
function offerChoice(area, attachAll) {
  const chooser = make("input", { type: "file", multiple: "" });
  chooser.addEventListener("change", () => {
    attachAll([...(chooser.files ?? [])]);
    chooser.value = "";
  });
  area.parentElement?.querySelector(".modes")?.append(makeButton(say().attachFiles, () => chooser.click()));
}

/** Texts for the statuses with which the server rejects a file. @type {Readonly<Record<string, "fileTooLarge" | "fileNotTaken">>} */
const reasons = { 413: "fileTooLarge", 422: "fileNotTaken" };

/**
 * @param {HTMLTextAreaElement} area
 * @param {File} file
 */
async function attach(area, file) {
  const texts = say();
  tell(area, `${texts.attaching} ${file.name}`);
  const form = new FormData();
  form.set("attachment", file);
  uploading.set(area, (uploading.get(area) ?? 0) + 1);
  try {
    const { name, browser_download_url: url } = await (await ask("POST", area.dataset.attach ?? "", form)).json();
    const label = name.replace(/[[\]\\]/g, "\\$&");
    area.setRangeText(`${file.type.startsWith("image/") ? "!" : ""}[${label}](${new URL(url).pathname})`, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    tell(area, `${texts.attached} ${file.name}`);
  } catch (error) {
    const reason = error instanceof Error ? reasons[error.message] : undefined;
    tell(area, `${texts[reason ?? "notAttached"]} ${file.name}`);
  } finally {
    const others = (uploading.get(area) ?? 1) - 1;
    if (others > 0) uploading.set(area, others);
    else uploading.delete(area);
  }
}
