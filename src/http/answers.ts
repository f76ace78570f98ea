import type { Readable } from "node:stream";
import type { Static, TSchema } from "typebox";
import type { PageHeader } from "./page-headers.ts";

/**
 * What a route answers when it succeeds: a required property of every route.
 * The kit turns what the handler returns into the response; the description is made from the same declaration.
 */
export type Answers = JsonAnswer<TSchema> | VariantAnswer<TSchema> | ListAnswer<TSchema> | EnvelopeAnswer<TSchema> | EmptyAnswer | RawAnswer;

/** One JSON value. */
export interface JsonAnswer<S extends TSchema> {
  readonly kind: "json";
  readonly status: number;
  readonly schema: S;
}

/** One JSON value under a status that the handler picks among the declared ones; without a body, for a status that is declared as a refusal. */
export interface VariantAnswer<S extends TSchema> {
  readonly kind: "variant";
  readonly statuses: readonly number[];
  readonly schema: S;
}

/**
 * A JSON array. `paging` says which headers tell of the other pages (wire facts, section 3):
 * `links` X-Total-Count and Link, `total` X-Total-Count alone, `none` neither, and the list is whole.
 */
export interface ListAnswer<S extends TSchema> {
  readonly kind: "list";
  readonly items: S;
  readonly paging: "links" | "total" | "none";
  /** Told as well. */
  readonly pageHeaders: readonly PageHeader[];
}

/**
 * A page of a list inside an object, as the searches have it; the headers are those of a list.
 * `own`: X-Total-Count, of a list that pages by parameters of its own.
 */
export interface EnvelopeAnswer<S extends TSchema> {
  readonly kind: "envelope";
  readonly schema: S;
  readonly paging: "links" | "total" | "own";
}

export interface EmptyAnswer {
  readonly kind: "empty";
  readonly status: number;
}

/** Anything else: files, streams, redirects, text. The handler returns a {@link RawReply}. */
export interface RawAnswer {
  readonly kind: "raw";
  /** Media types for the description. */
  readonly produces: readonly string[];
  /** Statuses the description states for success. */
  readonly status: number;
  readonly schema?: TSchema;
  /** There is never a body: the handler chooses among statuses alone. */
  readonly isEmpty?: true;
}

export interface RawReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer | Readable | Pieces;
}

/** A body whose pieces are each good until the next one is asked for: that happens once the last one has left the process. */
export interface Pieces {
  readonly pieces: AsyncIterable<Uint8Array>;
}

export const arePieces = (body: RawReply["body"]): body is Pieces => typeof body === "object" && "pieces" in body;

export const json = <S extends TSchema>(status: number, schema: S): JsonAnswer<S> => ({ kind: "json", status, schema });
export const variant = <S extends TSchema>(statuses: readonly number[], schema: S): VariantAnswer<S> => ({ kind: "variant", statuses, schema });
export const list = <S extends TSchema>(items: S, paging: ListAnswer<S>["paging"], pageHeaders: readonly PageHeader[] = []): ListAnswer<S> => ({
  kind: "list",
  items,
  paging,
  pageHeaders,
});
export const envelope = <S extends TSchema>(schema: S, paging: EnvelopeAnswer<S>["paging"]): EnvelopeAnswer<S> => ({ kind: "envelope", schema, paging });
export const empty = (status = 204): EmptyAnswer => ({ kind: "empty", status });
export const raw = (produces: readonly string[], status = 200, schema?: TSchema): RawAnswer =>
  schema === undefined ? { kind: "raw", produces, status } : { kind: "raw", produces, status, schema };

/** No body, under a status that the handler chooses. @param status the one that is published */
export const silent = (status: number): RawAnswer => ({ kind: "raw", produces: [], status, isEmpty: true });

/** The items of a list. */
export interface Listed<T> {
  /** @compat a few empty lists answer null */
  readonly items: readonly T[] | null;
  readonly total: number;
  /** The size of its pages, where it differs from the requested one. */
  readonly limit?: number;
  /** Sent as `X-Gitea-Warning`: a part of the data could not be read. One line of ASCII. */
  readonly warning?: string | undefined;
}

/** @compat what a parameter of the request asked for in place of the list; the headers are the list's */
export interface Instead {
  readonly instead: unknown;
  readonly total: number;
}

/** What the handler of a route with these answers returns. */
export type ResultOf<A extends Answers> =
  A extends JsonAnswer<infer S>
    ? Static<S>
    : A extends VariantAnswer<infer S>
      ? { readonly status: number; readonly body: Static<S> | undefined }
      : A extends ListAnswer<infer S>
        ? Listed<Static<S>> | Instead
        : A extends EnvelopeAnswer<infer S>
          ? { readonly total: number; readonly body: Static<S> }
          : A extends EmptyAnswer
            ? void
            : RawReply;

/** An answer ready to be sent. */
export interface PreparedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: RawReply["body"] | undefined;
}
