import { ask, make, makeButton, repositoryPath, say } from "./page.js";

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
    else shown.replaceChildren(...(await render(area.value)));
  };
  write.setAttribute("aria-pressed", "true");
  preview.setAttribute("aria-pressed", "false");
  area.before(make("div", { class: "switch modes" }, [write, preview]), shown);
}

/**
 * @param {string} text
 * @returns {Promise<readonly (Node | string)[]>}
 */
async function render(text) {
  const texts = say();
  if (text.trim() === "") return [texts.nothingToPreview];
  try {
    const answer = await ask("POST", "/markdown", { Text: text, Mode: "comment", Context: repositoryPath() ?? "" });
    return withoutForeignMedia(await answer.text());
  } catch {
    return [texts.noPreview];
  }
}

/**
 * The HTML is sanitized by the server. Media of other hosts are replaced by their text, because pages make no requests to other hosts.
 * @param {string} html
 */
function withoutForeignMedia(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const media of body.querySelectorAll("img, video, audio, source")) {
    const isOwn = new URL(media.getAttribute("src") ?? "", location.href).origin === location.origin && !media.hasAttribute("srcset");
    if (!isOwn) media.replaceWith(media.getAttribute("alt") ?? "");
  }
  return [...body.childNodes];
}
