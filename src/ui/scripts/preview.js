import { drawDiagrams } from "./diagrams.js";
import { formToken, make, makeButton, repositoryPath, say } from "./page.js";

/**
 * Adds a preview to Markdown fields, rendered by the server.
 * @param {ParentNode} [within] what has come to the page; all of it at its beginning
 */
export function offerPreviews(within = document) {
  for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (within.querySelectorAll("textarea[data-markdown]"))) offer(area);
}

/** @param {HTMLTextAreaElement} area */
function offer(area) {
  const texts = say();
  const shown = make("div", { class: "markdown preview box within", tabindex: "0", role: "region", "aria-label": texts.preview });
  shown.hidden = true;
  const write = makeButton(texts.write, () => turn(false));
  const preview = makeButton(texts.preview, () => turn(true));
  /** @param {boolean} isPreview */
  const turn = async (isPreview) => {
    write.setAttribute("aria-pressed", `${!isPreview}`);
    preview.setAttribute("aria-pressed", `${isPreview}`);
    area.hidden = isPreview;
    shown.hidden = !isPreview;
    if (!isPreview) area.focus();
    else {
      shown.replaceChildren(...(await render(area.value, area.dataset.previewAs ?? "")));
      drawDiagrams(shown);
    }
  };
  write.setAttribute("aria-pressed", "true");
  preview.setAttribute("aria-pressed", "false");
  const modes = area.parentElement?.querySelector(":scope > .modes") ?? area.insertAdjacentElement("beforebegin", make("div", { class: "switch modes" }));
  modes?.append(write, preview);
  area.before(shown);
}

/**
 * @param {string} text
 * @param {string} kind
 * @returns {Promise<readonly (Node | string)[]>}
 */
async function render(text, kind) {
  const texts = say();
  if (text.trim() === "") return [texts.nothingToPreview];
  try {
    const body = new URLSearchParams({ _csrf: formToken() ?? "", text, kind, repository: repositoryPath() ?? "" });
    const response = await fetch("/-/preview", { method: "POST", body });
    if (!response.ok) throw new Error(`${response.status}`);
    // The HTML is sanitized by the server.
    const { body: parsed } = new DOMParser().parseFromString(await response.text(), "text/html");
    return [...(parsed.firstElementChild?.childNodes ?? [])];
  } catch {
    return [texts.noPreview];
  }
}
