import { Readable } from "node:stream";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { countTurnsOf } from "../../test/kit/turns.ts";
import type { Html } from "./html.ts";
import { ListInTurns, renderInTurns } from "./render-in-turns.tsx";
import { useLanguage } from "./texts/texts.ts";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const Row = ({ number }: { readonly number: number }): Html => <li lang={useLanguage()}>{`<${number}>`}</li>;
const Rows = ({ count }: { readonly count: number }): Html => (
  <ul>
    <ListInTurns items={numbers(count)} view={(number) => <Row number={number} />} />
  </ul>
);
const inTurns = (content: Html): Promise<string[]> => Readable.from(renderInTurns("en", content)).toArray();

test("renders long lists, and lists in them, in turns of the event loop, to the same HTML as at once", async () => {
  const content = (
    <>
      <p>before</p>
      <ListInTurns
        items={numbers(30)}
        costOf={() => 20}
        view={(number) => (
          <section id={String(number)}>
            {number === 7 && <Rows count={1_000} />}
            {number > 20 && <Rows count={number} />}
          </section>
        )}
      />
      <p>after</p>
    </>
  );
  const rendering = inTurns(content);
  // 6 groups of sections, 10 of rows.
  expect(await countTurnsOf(() => rendering)).toBeGreaterThanOrEqual(16);
  expect((await rendering).join("")).toBe(render(content));
});

test("renders in the reader's language in each turn", async () => {
  const html = (await Readable.from(renderInTurns("de", <Rows count={300} />)).toArray()).join("");
  expect(html.match(/<li lang="de">/g)).toHaveLength(300);
});

test("renders short content at once", async () => {
  expect(await inTurns(["text ", <Rows count={100} />, null])).toEqual([`text ${render(<Rows count={100} />)}`]);
  expect(await inTurns(null)).toEqual([""]);
});

test("leaves nothing of a failed rendering to the next one", async () => {
  const Broken = (): Html => {
    throw new Error("broken");
  };
  await expect(inTurns([<Rows count={300} />, <Broken />])).rejects.toThrow("broken");
  expect(await inTurns(<b>next</b>)).toEqual(["<b>next</b>"]);
});
