import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { throttled } from "../core/errors.ts";
import type { Html } from "./html.ts";
import { renderPage } from "./page.tsx";
import { ListInTurns } from "./render-in-turns.tsx";
import { SlowPart, streamPage } from "./slow-part.tsx";

const streamed = (part: Promise<Html>) => streamPage(renderPage({ title: "Slow" }, <p>first</p>, <SlowPart />, <p>last</p>), ["en"], () => part);
const rest = async (pieces: AsyncIterator<Uint8Array>): Promise<string> => Buffer.from((await pieces.next()).value ?? []).toString();

test("sends the content above the slow part before that part is ready", async () => {
  const { promise, resolve } = Promise.withResolvers<Html>();
  const { status, headers, body } = streamed(promise);
  const pieces = body.pieces[Symbol.asyncIterator]();
  const head = await rest(pieces);
  expect([status, headers["x-frame-options"]]).toEqual([200, "DENY"]);
  expect(head).toMatch(/^<!doctype html>.*<p>first<\/p>$/s);
  resolve(<b>{"<late>"}</b>);
  expect(await rest(pieces)).toMatch(/^<b>&lt;late><\/b><p>last<\/p>.*<\/html>$/s);
  expect((await pieces.next()).done).toBe(true);
});

test("shows an error in place of the slow part, and truncates the response after an unexpected error", async () => {
  const refused = streamed(Promise.reject(throttled("Come back later."))).body.pieces[Symbol.asyncIterator]();
  await refused.next();
  expect(await rest(refused)).toMatch(/Wait a moment, then try again.*Reload the page.*<\/html>/s);
  expect((await refused.next()).done).toBe(true);
  const failed = streamed(Promise.reject(new Error("broken"))).body.pieces[Symbol.asyncIterator]();
  await failed.next();
  const html = await rest(failed);
  expect(html).toMatch(/role="alert".*Reload the page.*<\/html>/s);
  expect(html).not.toContain("broken");
  await expect(failed.next()).rejects.toThrow("broken");
});

test("sends long lists of the slow part while they are rendered", async () => {
  const list = (
    <ol>
      <ListInTurns items={Array.from({ length: 250 }, (_, at) => at)} view={(at) => <li>{at}</li>} />
    </ol>
  );
  const { body } = streamPage(renderPage({ title: "Slow" }, <SlowPart />, <p>last</p>), ["en"], list);
  const pieces = ((await Readable.from(body.pieces).toArray()) as Uint8Array[]).map((piece) => Buffer.from(piece).toString());
  expect(pieces.slice(1)).toEqual([
    "<ol>",
    expect.stringMatching(/^<li>0<\/li>.*<li>99<\/li>$/),
    expect.stringMatching(/^<li>100<\/li>.*<li>199<\/li>$/),
    expect.stringMatching(/^<li>200<\/li>.*<li>249<\/li>$/),
    expect.stringMatching(/^<\/ol><p>last<\/p>.*<\/html>$/s),
  ]);
});
