/** Loads the parts of a page that it leaves out. If one fails, its link remains. */
export function loadParts() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-part]"))) load(place).catch(() => undefined);
}

/** @param {HTMLElement} place */
async function load(place) {
  const response = await fetch(place.dataset.part ?? "");
  const part = response.ok ? new DOMParser().parseFromString(await response.text(), "text/html").body.firstElementChild : null;
  if (part !== null) place.replaceWith(document.adoptNode(part));
}
