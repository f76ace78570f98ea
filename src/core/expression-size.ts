/** Maximum size of compiled user expressions. */
export const maxExpressionSize = 1_000;

/** Unicode classes have hundreds of ranges. */
const unicodeWeight = 40;

/**
 * An upper bound for the compiled size of a regular expression (RE2), from its source. Counted repetitions are compiled by copying, so a
 * short expression such as `((a{10}){10}){10}` can take seconds to compile: check the size first.
 */
export function expressionSize(source: string): number {
  const groups: { done: number; atom: number }[] = [{ done: 0, atom: 0 }];
  let group = groups[0] as (typeof groups)[number];
  const put = (weight: number): void => {
    group.done += group.atom;
    group.atom = weight;
  };
  const tokens = /\\[pP](?:\{[^}]*\})?|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;
  for (const [token, least = "", most = ""] of source.matchAll(tokens)) {
    if (token === "(") {
      put(0);
      group = { done: 1, atom: 0 };
      groups.push(group);
    } else if (token === ")" && groups.length > 1) {
      const { done, atom } = group;
      groups.pop();
      group = groups.at(-1) as (typeof groups)[number];
      group.atom = done + atom + 1;
    } else if (least !== "") group.atom = (group.atom + 1) * Math.max(Number(least), Number(most), 1);
    else if (token === "*" || token === "+" || token === "?") group.atom += 1;
    else put(1 + unicodeWeight * (token.match(/\\[pP]|\[:/g)?.length ?? 0));
  }
  return groups.reduce((sum, { done, atom }) => sum + done + atom, 0);
}
