/** Makes elements that overflow focusable, so that they can be scrolled by keyboard. */
export function reachScrollers() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".markdown table, .markdown pre, .lines pre, .hunk-lines")))
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
}
