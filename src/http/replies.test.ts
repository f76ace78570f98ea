import { expect, test } from "vitest";
import { text } from "../wire/schema.ts";
import { arePieces, list } from "./answers.ts";
import { prepare } from "./replies.ts";

const answers = list(text(), "links");
const at = { origin: "http://forge.example", url: "/items?page=1", page: { page: 1, limit: 50, offset: 0 } };

async function piecesOf(body: ReturnType<typeof prepare>["body"]): Promise<string[]> {
  const pieces: string[] = [];
  if (body !== undefined && arePieces(body)) for await (const piece of body.pieces) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

test("sends a list of several megabytes in chunks that form the same JSON", async () => {
  const items = Array.from({ length: 50 }, (_, index) => `${index} ü`.repeat(50_000));
  const { headers, body } = prepare(answers, { items, total: 120 }, at);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const pieces = await piecesOf(body);
  clearImmediate(next);
  // The reader here takes every piece at once.
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 3);
  expect(pieces.join("")).toBe(`${JSON.stringify(items)}\n`);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_500_000);
  expect(headers).toMatchObject({ "content-type": "application/json;charset=utf-8", "x-total-count": 120 });
});

test.each([[[]], [["a"]], [["a", "b"]]])("sends the short list %j in one chunk", (items) => {
  expect(prepare(answers, { items, total: items.length }, at).body).toBe(`${JSON.stringify(items)}\n`);
});

test("sends null for a null list, and the warning header", () => {
  const { body, headers } = prepare(answers, { items: null, total: 0, warning: "one file is invalid" }, at);
  expect([body, headers["x-gitea-warning"]]).toEqual(["null\n", "one file is invalid"]);
});
