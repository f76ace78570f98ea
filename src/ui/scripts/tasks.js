import { ask, formToken, say, tell } from "./page.js";

/** Lets users who can edit a text tick its tasks in place. */
export function tickTasks() {
  for (const written of document.querySelectorAll("[data-editable]")) {
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (written.querySelectorAll("input[type=checkbox][data-source-position]"))) {
      box.disabled = false;
      box.addEventListener("change", () => tick(written, box));
    }
  }
  for (const comment of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-tasks]"))) {
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (comment.querySelectorAll("[data-offset] input[type=checkbox][data-source-position]"))) {
      box.disabled = false;
      box.addEventListener("change", () => tickInReview(comment, box));
    }
  }
}

/**
 * Comments of reviews are shown in parts, so the server changes the text.
 * @param {HTMLElement} comment
 * @param {HTMLInputElement} box
 */
async function tickInReview(comment, box) {
  const part = /** @type {HTMLElement | null} */ (box.closest("[data-offset]"));
  const fields = {
    _csrf: formToken() ?? "",
    position: String(Number(part?.dataset.offset) + Number(box.dataset.sourcePosition)),
    done: String(box.checked),
    content_version: comment.dataset.version ?? "",
  };
  box.disabled = true;
  try {
    const response = await fetch(comment.dataset.tasks ?? "", { method: "POST", body: new URLSearchParams(fields) });
    if (!response.ok) throw new Error(`${response.status}`);
    comment.dataset.version = String((await response.json()).content_version);
  } catch {
    box.checked = !box.checked;
    tell(box.closest("li") ?? box, say().taskNotSaved);
  }
  box.disabled = false;
}

/**
 * @param {Element} written
 * @param {HTMLInputElement} box
 */
async function tick(written, box) {
  const path = written.getAttribute("data-editable") ?? "";
  box.disabled = true;
  try {
    const known = await (await ask("GET", path)).json();
    const body = withMark(known.body, Number(box.dataset.sourcePosition), box.checked);
    // The version prevents overwriting a concurrent change.
    const saved = await (await ask("PATCH", path, { body, content_version: known.content_version })).json();
    const version = /** @type {HTMLInputElement | null} */ (written.querySelector("form[action$='/tasks'] [name=content_version]"));
    if (version !== null) version.value = String(saved.content_version);
  } catch {
    box.checked = !box.checked;
    tell(box.closest("li") ?? box, say().taskNotSaved);
  }
  box.disabled = false;
}

/**
 * The text with one task ticked or unticked.
 * @param {string} text
 * @param {number} position of the bracket, in bytes
 * @param {boolean} isDone
 * @throws Error when there is no task any more
 */
function withMark(text, position, isDone) {
  const bytes = new TextEncoder().encode(text);
  const at = new TextDecoder().decode(bytes.subarray(0, position)).length;
  if (!/^\[[ xX]\]/.test(text.slice(at, at + 3))) throw new Error("no task");
  return `${text.slice(0, at)}[${isDone ? "x" : " "}]${text.slice(at + 3)}`;
}
