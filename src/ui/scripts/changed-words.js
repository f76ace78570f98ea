// Highlights the changed words of a line that replaces another one. Browsers without the CSS Highlight API show the lines only.

/** Longer lines are not compared, and lines with a smaller common part are not considered the same line. */
const maxLength = 2_000;
const leastShared = 0.3;

/** @param {Element} [root] contains the changed lines */
export function markChangedWords(root = document.body) {
  if (!("highlights" in CSS)) return;
  for (const [removed, added] of [...pairsBelow(root), ...pairsBeside(root)]) mark(removed, added);
}

/**
 * Pairs of removed lines and an equal number of added lines below them.
 * @param {Element} root
 * @returns {Generator<[Element, Element]>}
 */
function* pairsBelow(root) {
  for (const body of root.querySelectorAll("table.diff:not(.split) > tbody")) {
    const rows = [...body.children].filter((row) => !row.classList.contains("talk"));
    for (let at = 0; at < rows.length; ) {
      const middle = endOf(rows, at, "removed");
      const end = endOf(rows, middle, "added");
      if (middle - at === end - middle) for (let step = 0; step < middle - at; step += 1) yield [cellOf(rows[at + step]), cellOf(rows[middle + step])];
      at = Math.max(end, at + 1);
    }
  }
}

/**
 * @param {readonly Element[]} rows
 * @param {number} from
 * @param {string} kind
 */
function endOf(rows, from, kind) {
  let end = from;
  while (rows[end]?.classList.contains(kind)) end += 1;
  return end;
}

/** @param {Element | undefined} row */
const cellOf = (row) => /** @type {Element} */ (row?.lastElementChild);

/**
 * Pairs of lines in two columns.
 * @param {Element} root
 * @returns {Generator<[Element, Element]>}
 */
function* pairsBeside(root) {
  for (const removed of root.querySelectorAll("td.removed:not(.number)")) {
    const added = removed.parentElement?.querySelector(":scope > td.added:not(.number)");
    if (added) yield [removed, added];
  }
}

/**
 * @param {Element} removed
 * @param {Element} added
 */
function mark(removed, added) {
  const [before, after] = [removed.textContent ?? "", added.textContent ?? ""];
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0 || Math.max(before.length, after.length) > maxLength) return;
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (before.trim() === "" || (start + end) / Math.max(before.length, after.length) < leastShared) return;
  // Whole words are highlighted.
  while (start > 0 && isWord(before[start - 1]) && (isWord(before[start]) || isWord(after[start]))) start -= 1;
  while (end > 0 && isWord(before.at(-end)) && (isWord(before.at(-end - 1)) || isWord(after.at(-end - 1)))) end -= 1;
  highlight("words-removed", removed, start, before.length - end);
  highlight("words-added", added, start, after.length - end);
}

/** @param {string | undefined} character */
const isWord = (character) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/**
 * @param {string} name
 * @param {Element} cell
 * @param {number} from
 * @param {number} to
 */
function highlight(name, cell, from, to) {
  if (from >= to) return;
  const range = document.createRange();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let passed = 0;
  let isOpen = false;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!isOpen && from < passed + length) {
      range.setStart(node, from - passed);
      isOpen = true;
    }
    if (to <= passed + length) {
      range.setEnd(node, to - passed);
      break;
    }
    passed += length;
  }
  const known = CSS.highlights.get(name) ?? new Highlight();
  known.add(range);
  CSS.highlights.set(name, known);
}
