/** What is wider than its place is scrolled by keys, too: it can be reached where it is. */
export function reachScrollers() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".markdown table, .markdown pre, .lines pre")))
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
}
