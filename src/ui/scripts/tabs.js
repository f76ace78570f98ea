/** On narrow screens, scrolls the current tab into the middle of its row. */
export function showCurrentTabs() {
  for (const current of document.querySelectorAll(".tabs [aria-current], .settings > nav [aria-current]")) {
    const row = current.parentElement;
    if (row === null || row.scrollWidth <= row.clientWidth) continue;
    const [tab, around] = [current.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += tab.left + tab.width / 2 - (around.left + around.width / 2);
  }
}
