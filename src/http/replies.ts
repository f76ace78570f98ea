import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Page } from "../core/paging.ts";
import type { Answers, Enveloped, Instead, Listed, PreparedReply, RawReply } from "./answers.ts";
import { isFresh } from "./file-answer.ts";
import { linkHeader, type PageHeader, pageHeaderValues } from "./paging-headers.ts";
import type { Route } from "./route.ts";

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
      const { body, total } = result as Enveloped<unknown>;
      const reply = jsonReply(200, body);
      return total === undefined ? reply : withPaging(reply, { paging: answers.paging }, total, at);
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

/** Length in UTF-16 units above which JSON is written in pieces. */
const largeLength = 1_000_000;
/** Length in UTF-16 units of a piece, unless one item is longer. */
const pieceLength = 250_000;
/** Objects with a list of this many items are written item by item too. */
const longList = 10;

/**
 * JSON of a list, or of an object with lists, item by item. If it is large it is sent in pieces, so that other requests get a turn between them: a
 * page of commits with thousands of parents each has tens of megabytes.
 */
function replyOf(status: number, texts: Iterator<string>): PreparedReply {
  const headers = { "content-type": jsonType };
  let written = "";
  for (let next = texts.next(); next.done !== true; next = texts.next()) {
    written += next.value;
    if (written.length > largeLength) return { status, headers, body: { pieces: piecesOf(written, texts) } };
  }
  return { status, headers, body: `${written}\n` };
}

/** The system may take a piece at once, so each is made and sent in turns of its own: one item can have megabytes. */
async function* piecesOf(written: string, texts: Iterator<string>): AsyncGenerator<Buffer> {
  await setImmediate();
  yield Buffer.from(written);
  await setImmediate();
  let piece = "";
  for (let next = texts.next(); next.done !== true; next = texts.next()) {
    piece += next.value;
    if (piece.length < pieceLength) continue;
    await setImmediate();
    yield Buffer.from(piece);
    piece = "";
    await setImmediate();
  }
  yield Buffer.from(`${piece}\n`);
}

function* listTexts(items: Iterable<unknown>): Generator<string> {
  let separator = "[";
  for (const item of items) {
    // As in JSON.stringify.
    yield separator + (JSON.stringify(item) ?? "null");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

function* recordTexts(record: object): Generator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(record)) {
    const start = `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      yield start;
      yield* listTexts(value);
    } else {
      const text = JSON.stringify(value);
      if (text === undefined) continue;
      yield start + text;
    }
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

const hasLongList = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  !("toJSON" in value) &&
  Object.values(value).some((member: unknown) => Array.isArray(member) && member.length >= longList);

const listReply = (items: Iterable<unknown>): PreparedReply => replyOf(200, listTexts(items));

function jsonReply(status: number, value: unknown): PreparedReply {
  if (Array.isArray(value)) return replyOf(status, listTexts(value));
  if (hasLongList(value)) return replyOf(status, recordTexts(value));
  const text = `${JSON.stringify(value)}\n`;
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

interface PageRequest {
  readonly route: Pick<Route, "method" | "isPage" | "isOpen">;
  /** The request carries no credentials. */
  readonly isVisitor: boolean;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Lets browsers of anonymous visitors cache a complete page, if they revalidate it on each use.
 * The tag is a digest of the response including its headers, so it does not depend on what a page consists of. Sign-in pages, whose URLs
 * carry codes, and pages of signed-in users are not cached.
 */
export function versionPage(reply: PreparedReply, { route, isVisitor, ifNoneMatch }: PageRequest): PreparedReply {
  const { status, headers, body } = reply;
  const isKept = route.isPage && !route.isOpen && route.method === "GET" && isVisitor && status === 200 && typeof body === "string";
  if (!isKept || headers["set-cookie"] !== undefined) return reply;
  const tag = hash("sha256", JSON.stringify(headers) + body, "base64url").slice(0, 22);
  // Weak, because the page is compressed for some clients (RFC 9110, 8.8.1).
  const about = { etag: `W/"${tag}"`, "cache-control": "private, no-cache", vary: "Accept-Encoding, Accept-Language, Cookie" };
  return isFresh(ifNoneMatch, tag) ? { status: 304, headers: about, body: undefined } : { status, headers: { ...headers, ...about }, body };
}
