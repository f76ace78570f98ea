/** Width of the first step, and distance of the steps, in rem: those of `.width-0` and the others in code.css. */
const firstWidth = 11;
const step = 2;
const lastStep = 9;

/** Keeps the width of the tree beside a file, and whether it is open, in a cookie, so that the next page begins with them. */
export function keepTreeLook() {
  const tree = /** @type {HTMLElement | null} */ (document.querySelector(".source-tree"));
  const details = tree?.querySelector("details");
  if (tree === null || !(details instanceof HTMLDetailsElement)) return;
  const current = /** @type {HTMLElement | null} */ (tree.querySelector("[aria-current]"));
  if (current !== null && current.offsetTop > tree.clientHeight) tree.scrollTop = current.offsetTop - tree.clientHeight / 2;
  const keep = () => {
    const width = tree.style.width === "" ? [...tree.classList].find((name) => name.startsWith("width-"))?.slice("width-".length) : `${stepOf(tree)}`;
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, so that the next page does not shift; the Cookie Store API lacks in Firefox.
    document.cookie = `hearth_tree=${width ?? ""}${details.open ? "" : "-closed"}; path=/; max-age=31536000; samesite=lax`;
  };
  details.addEventListener("toggle", keep);
  // Browsers set the width of the element itself while its edge is dragged.
  new MutationObserver(keep).observe(tree, { attributeFilter: ["style"] });
}

/** @param {HTMLElement} tree */
function stepOf(tree) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.min(lastStep, Math.max(0, Math.round((tree.offsetWidth / rem - firstWidth) / step)));
}
