import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { countTurnsOf } from "../../test/kit/turns.ts";
import { renderInTurns } from "./render-in-turns.ts";
import { useLanguage } from "./texts/texts.ts";

test("renders items in the reader's language, with a turn of the event loop between them", async () => {
  const Row = ({ number }: { readonly number: number }) => (
    <tr lang={useLanguage()}>
      <td>{`<${number}>`}</td>
    </tr>
  );
  const rendering = Readable.from(renderInTurns("de", [1, 2, 3], (number) => <Row number={number} />)).toArray();
  expect(await countTurnsOf(() => rendering)).toBeGreaterThanOrEqual(1);
  expect((await rendering).join("")).toBe('<tr lang="de"><td>&lt;1></td></tr><tr lang="de"><td>&lt;2></td></tr><tr lang="de"><td>&lt;3></td></tr>');
});
