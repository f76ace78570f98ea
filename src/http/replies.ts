import { setImmediate } from "node:timers/promises";
import { writeJson } from "../core/json.ts";
import type { Page } from "../core/paging.ts";
import type { Answers, Instead, Listed, PreparedReply, RawReply } from "./answers.ts";
import { linkHeader } from "./link-header.ts";
import { type PageHeader, pageHeaderValues } from "./page-headers.ts";

/** Headers of every API answer, and no others (wire facts 1.1). */
export const apiHeaders = { "cache-control": "max-age=0, private, must-revalidate, no-transform", "x-content-type-options": "nosniff" };
export const jsonType = "application/json;charset=utf-8";

/** Turns what a handler returned into a response, by what its route declares. */
export function prepare(answers: Answers, result: unknown, at: ListPosition): PreparedReply {
  switch (answers.kind) {
    case "empty":
      return { status: answers.status, headers: {}, body: undefined };
    case "json":
      return jsonReply(answers.status, result);
    case "variant": {
      const { status, body } = result as { status: number; body: unknown };
      return body === undefined ? { status, headers: {}, body } : jsonReply(status, body);
    }
    case "raw": {
      const { status, headers = {}, body } = result as RawReply;
      return { status, headers, body };
    }
    case "list": {
      const { items, instead, total, limit, warning } = result as Partial<Listed<unknown>> & { total: number } & Partial<Instead>;
      const body = items === undefined || items === null ? jsonReply(200, items === null ? null : instead) : listReply(items);
      const reply = warning === undefined ? body : { ...body, headers: { ...body.headers, "x-gitea-warning": warning } };
      return answers.paging === "none" ? reply : withPaging(reply, { paging: answers.paging, pageHeaders: answers.pageHeaders }, total, pagedBy(at, limit));
    }
    case "envelope": {
      const { body, total } = result as { body: unknown; total: number };
      return withPaging(jsonReply(200, body), { paging: answers.paging }, total, at);
    }
  }
}

/** Where a list was asked for: its other pages are named from it. */
export interface ListPosition {
  readonly origin: string;
  readonly url: string;
  readonly page: Page;
}

const pagedBy = (at: ListPosition, limit: number | undefined): ListPosition => (limit === undefined ? at : { ...at, page: { ...at.page, limit } });

interface Paging {
  readonly paging: "links" | "total" | "own";
  readonly pageHeaders?: readonly PageHeader[];
}

function withPaging(reply: PreparedReply, { paging, pageHeaders = [] }: Paging, total: number, at: ListPosition): PreparedReply {
  const link = paging === "links" ? linkHeader(at.origin, at.url, at.page, total) : undefined;
  return {
    ...reply,
    headers: {
      ...reply.headers,
      "x-total-count": total,
      ...(link !== undefined && { link }),
      ...pageHeaderValues(pageHeaders, at.page, total),
      "access-control-expose-headers": [...(link === undefined ? [] : ["Link"]), "X-Total-Count", ...pageHeaders].join(", "),
    },
  };
}

/** Length in UTF-16 units above which a list is written in pieces. */
const largeLength = 1_000_000;

/**
 * The JSON of a list, written item by item. A large one is sent in pieces, so that other requests get a turn between them: a page of commits with
 * thousands of parents each has tens of megabytes.
 */
function listReply(items: readonly unknown[]): PreparedReply {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = writeJson(item);
    texts.push(text);
    length += text.length;
    if (length > largeLength) return { status: 200, headers: { "content-type": jsonType }, body: { pieces: piecesOf(texts, items) } };
  }
  return { status: 200, headers: { "content-type": jsonType }, body: `[${texts.join(",")}]\n` };
}

/** Length in UTF-16 units of a piece, unless one item is longer. */
const pieceLength = 250_000;

/** The system may take a piece at once, so each is made in a turn of its own. @param written the texts of the first items */
async function* piecesOf(written: readonly string[], items: readonly unknown[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`[${written.join(",")}`);
  let piece = "";
  for (const item of items.slice(written.length)) {
    piece += `,${writeJson(item)}`;
    if (piece.length < pieceLength) continue;
    await setImmediate();
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(`${piece}]\n`);
}

function jsonReply(status: number, value: unknown): PreparedReply {
  if (Array.isArray(value)) return { ...listReply(value), status };
  const text = `${writeJson(value)}\n`;
  return { status, headers: { "content-type": jsonType }, body: text.length > largeLength ? { pieces: encodedPieces(text) } : text };
}

/** Encoding tens of megabytes at once would block the event loop. A pair of surrogates is not separated. */
async function* encodedPieces(text: string): AsyncGenerator<Buffer> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    await setImmediate();
    end = start + largeLength;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
    yield Buffer.from(text.slice(start, end));
  }
}
