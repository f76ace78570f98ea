import { expect, test } from "vitest";
import { countTurnsOf } from "../../test/kit/turns.ts";
import { text } from "../wire/schema.ts";
import { arePieces, json, list } from "./answers.ts";
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
  // The reader here takes every piece at once.
  const reading = piecesOf(body);
  const turns = await countTurnsOf(() => reading);
  const pieces = await reading;
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 3);
  expect(pieces.join("")).toBe(`${JSON.stringify(items)}\n`);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_500_000);
  expect(headers).toMatchObject({ "content-type": "application/json;charset=utf-8", "x-total-count": 120 });
});

test("sends small items of a long list together", async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => `item ${index}, which is short`);
  const pieces = await piecesOf(prepare(answers, { items, total: items.length }, at).body);
  expect(pieces.length).toBeLessThan(20);
  expect(pieces.join("")).toBe(`${JSON.stringify(items)}\n`);
});

test("presents the items of an iterable while the list is sent", async () => {
  let presented = 0;
  const names = Array.from({ length: 100_000 }, (_, index) => `item ${index}, which is short`);
  const items = names.values().map((name) => {
    presented += 1;
    return name;
  });
  const { body } = prepare(answers, { items, total: names.length }, at);
  expect(presented).toBeLessThan(names.length / 2);
  expect((await piecesOf(body)).join("")).toBe(`${JSON.stringify(names)}\n`);
  expect(presented).toBe(names.length);
});

test.each([
  { total: 2, items: Array.from({ length: 20 }, (_, index) => ({ index, none: undefined })), none: undefined, nothing: null },
  { none: undefined, items: Array.from({ length: 10 }, () => undefined), 'a "name"': [], last: [[]] },
  { items: Array.from({ length: 12 }, () => ({ text: "x".repeat(200_000) })), after: { deep: [1] } },
])("writes an object with a list like JSON.stringify", async (value) => {
  const { body } = prepare(json(200, text()), value, at);
  expect(typeof body === "string" ? body : (await piecesOf(body)).join("")).toBe(`${JSON.stringify(value)}\n`);
});

test("sends a large object with a list in several turns", async () => {
  const value = { items: Array.from({ length: 30 }, () => "x".repeat(500_000)) };
  expect(await countTurnsOf(() => piecesOf(prepare(json(200, text()), value, at).body))).toBeGreaterThanOrEqual(20);
});

test("sends a large object in chunks that form the same JSON", async () => {
  const value = { text: `x${"😀".repeat(1_200_000)}` };
  const reading = piecesOf(prepare(json(200, text()), value, at).body);
  expect(await countTurnsOf(() => reading)).toBeGreaterThanOrEqual(2);
  const pieces = await reading;
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("")).toBe(`${JSON.stringify(value)}\n`);
});

test.each([[[]], [["a"]], [["a", "b"]]])("sends the short list %j in one chunk", (items) => {
  expect(prepare(answers, { items, total: items.length }, at).body).toBe(`${JSON.stringify(items)}\n`);
});

test("sends null for a null list, and the warning header", () => {
  const { body, headers } = prepare(answers, { items: null, total: 0, warning: "one file is invalid" }, at);
  expect([body, headers["x-gitea-warning"]]).toEqual(["null\n", "one file is invalid"]);
});
