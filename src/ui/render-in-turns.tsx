import { setImmediate } from "node:timers/promises";
import { h } from "preact";
import { render } from "preact-render-to-string";
import type { Html } from "./html.ts";
import { type Language, renderIn } from "./texts/texts.ts";

const mark = "later-part";
const markHtml = `<${mark}></${mark}>`;

/** A group of items costs about this much, in lines of a table. */
const groupCost = 100;

/** The views that the current rendering leaves to later turns; undefined if it renders everything at once. Like the language, an argument of every view. */
let later: (() => Html)[] | undefined;

export interface ListInTurnsProps<T> {
  readonly items: readonly T[];
  /** The approximate cost of an item, in lines of a table; 1 if omitted. An item that costs more than a hundred should contain such lists. */
  readonly costOf?: (item: T) => number;
  readonly view: (item: T) => Html;
}

/** A list of a page that may have thousands of elements. {@link renderInTurns} renders it group by group; any other rendering, at once. */
export function ListInTurns<T>({ items, costOf = () => 1, view }: ListInTurnsProps<T>): Html {
  if (later === undefined) return items.map(view);
  const groups: T[][] = [];
  let cost = groupCost;
  for (const item of items) {
    if (cost >= groupCost) {
      groups.push([]);
      cost = 0;
    }
    groups.at(-1)?.push(item);
    cost += costOf(item);
  }
  if (groups.length < 2) return items.map(view);
  for (const group of groups) later.push(() => group.map(view));
  return groups.map(() => h(mark, null));
}

/**
 * Renders content to the same HTML as one call of `render`, with a turn of the event loop after each group of a {@link ListInTurns}. The HTML is not
 * joined, because encoding one text of many megabytes takes longer than a turn may.
 */
export async function* renderInTurns(language: Language, content: Html): AsyncGenerator<string, void, undefined> {
  /** The remaining parts, in reverse order. */
  const rest: (string | (() => Html))[] = [() => content];
  let html = "";
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") {
      html += next;
      continue;
    }
    const { pieces, views } = renderOnce(language, next);
    for (let at = pieces.length - 1; at > 0; at -= 1) rest.push(pieces[at] ?? "", views[at - 1] ?? (() => null));
    html += pieces[0] ?? "";
    if (rest.length > 0) {
      yield html;
      html = "";
      await setImmediate();
    }
  }
  yield html;
}

function renderOnce(language: Language, view: () => Html): { readonly pieces: readonly string[]; readonly views: readonly (() => Html)[] } {
  const outer = later;
  const views: (() => Html)[] = [];
  later = views;
  try {
    // biome-ignore lint/complexity/noUselessFragments: render() takes an element, and the content can be a list or text.
    const html = renderIn(language, () => render(<>{view()}</>));
    return { pieces: html.split(markHtml), views };
  } finally {
    later = outer;
  }
}
