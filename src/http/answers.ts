import type { Readable } from "node:stream";
import type { Static, TSchema, TUnsafe } from "typebox";
import type { PageHeader } from "./paging-headers.ts";

/**
 * The successful responses of a route: a required property of every route.
 * The server turns the handler's return value into the response. The API description is generated from the same declaration.
 */
export type Answers = JsonAnswer<TSchema> | VariantAnswer<TSchema> | ListAnswer<TSchema> | EnvelopeAnswer<TSchema> | EmptyAnswer | RawAnswer;

/** One JSON value. */
export interface JsonAnswer<S extends TSchema> {
  readonly kind: "json";
  readonly status: number;
  readonly schema: S;
  /** @compat The type of some of the responses: a parameter selects it (statuses/api.test.ts). */
  readonly alternative?: TSchema;
}

/** One JSON value with a status that the handler picks from the declared ones. Statuses declared as refusals have no body. */
export interface VariantAnswer<S extends TSchema> {
  readonly kind: "variant";
  readonly statuses: readonly number[];
  readonly schema: S;
}

/**
 * A JSON array. `paging` names the paging headers: `links` sends X-Total-Count and Link, `total` sends X-Total-Count only, `none` sends
 * neither because the list is complete.
 */
export interface ListAnswer<S extends TSchema> {
  readonly kind: "list";
  readonly items: S;
  readonly paging: "links" | "total" | "none";
  /** Additional paging headers. */
  readonly pageHeaders: readonly PageHeader[];
  /** @compat An empty list can be null (http/replies.test.ts). */
  readonly isNullable?: true;
  /** @compat The type returned in place of the list when a parameter asks for it (statuses/api.test.ts). */
  readonly alternative?: TSchema;
}

/**
 * A page of a list wrapped in an object, as in searches. The headers are those of a list.
 * `own`: sends X-Total-Count, for lists with their own paging parameters.
 */
export interface EnvelopeAnswer<S extends TSchema> {
  readonly kind: "envelope";
  readonly schema: S;
  readonly paging: "links" | "total" | "own";
  /** @compat The type of some of the responses: the kind of the resource selects it (contents/read.test.ts). */
  readonly alternative?: TSchema;
}

export interface EmptyAnswer {
  readonly kind: "empty";
  readonly status: number;
}

/** Any other response: files, streams, redirects, text. The handler returns a {@link RawReply}. */
export interface RawAnswer {
  readonly kind: "raw";
  /** Media types for the description. */
  readonly produces: readonly string[];
  /** Success status shown in the description. */
  readonly status: number;
  readonly schema?: TSchema;
  /** The response never has a body; the handler only picks a status. */
  readonly isEmpty?: true;
  /** Further success statuses, in the same shape. */
  readonly furtherStatuses?: readonly number[];
}

export interface RawReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Buffers are sent one after the other, without a copy of the whole. */
  readonly body?: string | Buffer | readonly Buffer[] | Readable | Pieces;
}

/** A body whose chunks are valid until the next one is requested, which happens after the previous chunk has left the process. */
export interface Pieces {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** The size of a body that is complete in memory; undefined for any other one. */
export const sizeOfBody = (body: RawReply["body"]): number | undefined =>
  typeof body === "string" || Buffer.isBuffer(body)
    ? Buffer.byteLength(body)
    : areBuffers(body)
      ? body.reduce((size, { length }) => size + length, 0)
      : undefined;

export const areBuffers = (body: RawReply["body"]): body is readonly Buffer[] => Array.isArray(body);
export const arePieces = (body: RawReply["body"]): body is Pieces => typeof body === "object" && "pieces" in body;

export const json = <S extends TSchema>(status: number, schema: S): JsonAnswer<S> => ({ kind: "json", status, schema });
/** One JSON value of one of two types. Swagger 2.0 has no unions: the description shows the second one as `x-alternative`. */
export const either = <S extends TSchema, O extends TSchema>(status: number, schema: S, alternative: O): JsonAnswer<TUnsafe<Static<S> | Static<O>>> => ({
  kind: "json",
  status,
  // The type parameter exists only at compile time.
  schema: schema as unknown as TUnsafe<Static<S> | Static<O>>,
  alternative,
});
export const variant = <S extends TSchema>(statuses: readonly number[], schema: S): VariantAnswer<S> => ({ kind: "variant", statuses, schema });
export const list = <S extends TSchema>(items: S, paging: ListAnswer<S>["paging"], pageHeaders: readonly PageHeader[] = []): ListAnswer<S> => ({
  kind: "list",
  items,
  paging,
  pageHeaders,
});
export const envelope = <S extends TSchema>(schema: S, paging: EnvelopeAnswer<S>["paging"]): EnvelopeAnswer<S> => ({ kind: "envelope", schema, paging });
export const empty = (status = 204): EmptyAnswer => ({ kind: "empty", status });
/** One object or a page of a list, by the kind of the resource. */
export const objectOrPage = <S extends TSchema, O extends TSchema>(schema: S, page: O): EnvelopeAnswer<TUnsafe<Static<S> | Static<O>>> => ({
  kind: "envelope",
  // The type parameter exists only at compile time.
  schema: schema as unknown as TUnsafe<Static<S> | Static<O>>,
  alternative: page,
  paging: "links",
});
export const raw = (produces: readonly string[], status = 200, schema?: TSchema): RawAnswer =>
  schema === undefined ? { kind: "raw", produces, status } : { kind: "raw", produces, status, schema };

/** A file that is sent whole, or the requested range of it (206). */
export const file = (produces: readonly string[]): RawAnswer => ({ ...raw(produces), furtherStatuses: [206] });

/** A response without a body, with one of these statuses. */
export const silent = (status: number, ...furtherStatuses: readonly number[]): RawAnswer => ({
  kind: "raw",
  produces: [],
  status,
  furtherStatuses,
  isEmpty: true,
});

export interface Listed<T> {
  /** Null only where the route declares `isNullable`. An iterable presents its items while they are written, so that few of them are in memory. */
  readonly items: Iterable<T> | null;
  readonly total: number;
  /** Page size, if it differs from the requested one. */
  readonly limit?: number;
  /** Sent as `X-Gitea-Warning` when part of the data could not be read. One line of ASCII. */
  readonly warning?: string | undefined;
}

/** @compat Returned in place of the list when a parameter asks for another format, with the headers of the list (statuses/api.test.ts). */
export interface Instead {
  readonly instead: unknown;
  readonly total: number;
}

/** A page of a list in an object. */
export interface Enveloped<T> {
  /** Undefined for a response without paging headers, which is not a list. */
  readonly total: number | undefined;
  readonly body: T;
}

/** Return type of the handler of a route with these answers. */
export type ResultOf<A extends Answers> =
  A extends JsonAnswer<infer S>
    ? Static<S>
    : A extends VariantAnswer<infer S>
      ? { readonly status: number; readonly body: Static<S> | undefined }
      : A extends ListAnswer<infer S>
        ? Listed<Static<S>> | Instead
        : A extends EnvelopeAnswer<infer S>
          ? Enveloped<Static<S>>
          : A extends EmptyAnswer
            ? void
            : RawReply;

/** A response that is ready to be sent. */
export interface PreparedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: RawReply["body"] | undefined;
}
