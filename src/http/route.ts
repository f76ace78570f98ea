import type { IncomingMessage } from "node:http";
import type { Static, TSchema } from "typebox";
import type { Page } from "../core/paging.ts";
import type { Access, Scope, SubjectsOf } from "./access.ts";
import type { Answers, ResultOf } from "./answers.ts";
import type { FormFile } from "./form-files.ts";
import { withFieldLengths } from "./form-lengths.ts";
import type { UploadForm } from "./form-uploads.ts";
import type { ProxyUser } from "./proxy-user.ts";
import type { QueryDeclaration, QueryOf } from "./query.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The names in a path: `{owner}` takes one segment, `{filepath+}` one or more, `{filepath*}` none or more. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}+` ? Base : Name extends `${infer Base}*` ? Base : Name) | ParameterNames<Rest>
  : never;
export type PathParameters<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** What a handler receives: who calls, on what, with what. */
export type RequestOf<Path extends string, A extends Access, Q extends QueryDeclaration, B extends TSchema | undefined> = SubjectsOf<A> & {
  readonly params: PathParameters<Path>;
  readonly query: QueryOf<Q>;
  readonly body: B extends TSchema ? Static<B> : undefined;
  /** From `page` and `limit`, clamped. */
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The raw body as a stream, on routes that declare `body: "stream"` only. */
  readonly stream: IncomingMessage | undefined;
  /** What came with a form, on routes that declare `formFiles`; empty else. */
  readonly files: readonly FormFile[];
  /** The form itself, on routes that declare `formUploads`. */
  readonly form: UploadForm | undefined;
  /** The request's path and query as received, for redirects. */
  readonly url: string;
  /** Where the request comes from. */
  readonly remoteAddress: string;
  /** What the cookie of a session holds that came along, be it good or not: forms are tied to it. */
  readonly session: string | undefined;
  /** Whom a trusted reverse proxy has signed in, where that is switched on. */
  readonly proxied: ProxyUser | undefined;
};

export interface RouteDeclaration<Path extends string, A extends Access, Q extends QueryDeclaration, B extends TSchema | undefined, R extends Answers> {
  /** Operation id of the contract. */
  readonly id: string;
  readonly method: Method;
  /** Below `/api/v1`, or from the root when `mount` is `root`. */
  readonly path: Path;
  readonly mount?: "api" | "root";
  /** Further paths that answer alike, with the same names in braces; not in the description. Paths below an issue have one without being named here. */
  readonly aliases?: readonly string[];
  /** The description has the first alias as an operation of its own, under this id. */
  readonly aliasId?: string;
  readonly tag: string;
  readonly summary: string;
  readonly isDeprecated?: boolean;
  /** Not in the published description: routes beyond the contract's operations. */
  readonly isUnlisted?: boolean;
  /** A page for people: errors are pages, and who has to sign in is led to where he can. */
  readonly isPage?: boolean;
  /** Also for callers who have not signed in where everybody has to: the way in. */
  readonly isOpen?: boolean;
  /** Whoever calls, with whatever credentials, is nobody: also where everybody has to sign in. */
  readonly ignoresCredentials?: boolean;

  readonly access: A;
  readonly scope: Scope;
  /** Where the method does not tell: a POST that only reads still needs `write` on the wire, so this is for git transport. */
  readonly scopeLevel?: "read" | "write";
  /** Tokens that see public things only may not call it: it is about the caller's own, private matters. */
  readonly refusesPublicOnly?: boolean;

  readonly query?: Q;
  /** A record is read as JSON or a form; a text is the body itself, whatever its media type. */
  readonly body?: B;
  /** @compat the body's fields may stand in the query instead, for clients that send no body with a DELETE. */
  readonly readsQueryAsBody?: boolean;
  /** The handler reads the request's body itself, as a stream. */
  readonly streamsBody?: boolean;
  /** A file comes in this field of a form, or alone; the handler, which declares `streamsBody` too, takes it by `receiveUpload`. */
  readonly uploadField?: string;
  /** It is published that the file may come alone. */
  readonly uploadsAlone?: boolean;
  /** The form of a page brings files, up to so many; `bodyLimitBytes` bounds them together with the fields. */
  readonly formFiles?: number;
  /** The form of a page brings files of any size, up to so many: the handler takes them, and the fields, from `form`; `bodyLimitBytes` bounds the fields. */
  readonly formUploads?: number;
  /** A request without a body is accepted: every field has its zero value then, and no rule is checked. */
  readonly acceptsNoBody?: boolean;
  /** Largest body in bytes; the kit's default is for small JSON. */
  readonly bodyLimitBytes?: number;
  readonly answers: R;
  /** Published statuses of refusals, by the contract's response names. */
  readonly refusals?: Readonly<Record<number, string>>;

  readonly handle: (request: RequestOf<Path, A, Q, B>) => Promise<ResultOf<R>> | ResultOf<R>;
}

/** A declared route, its types forgotten: what the kit serves and the description is made from. */
export interface Route {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly mount: "api" | "root";
  readonly aliases: readonly string[];
  readonly aliasId: string | undefined;
  readonly tag: string;
  readonly summary: string;
  readonly isDeprecated: boolean;
  readonly isUnlisted: boolean;
  readonly isPage: boolean;
  readonly isOpen: boolean;
  readonly access: Access;
  readonly scope: Scope;
  readonly scopeLevel: "read" | "write";
  readonly refusesPublicOnly: boolean;
  readonly ignoresCredentials: boolean;
  readonly query: QueryDeclaration;
  readonly body: TSchema | undefined;
  readonly readsQueryAsBody: boolean;
  readonly acceptsNoBody: boolean;
  readonly streamsBody: boolean;
  readonly uploadField: string | undefined;
  readonly uploadsAlone: boolean;
  readonly formFiles: number;
  readonly formUploads: number;
  readonly bodyLimitBytes: number | undefined;
  readonly answers: Answers;
  readonly refusals: Readonly<Record<number, string>>;
  readonly handle: (request: never) => unknown;
}

/**
 * Declares a route. A declaration without access, scope or answers does not compile.
 * @throws Error at start-up for a path that the kit cannot serve
 */
export function defineRoute<
  const Path extends string,
  const A extends Access,
  R extends Answers,
  Q extends QueryDeclaration = Record<never, never>,
  B extends TSchema | undefined = undefined,
>(declaration: RouteDeclaration<Path, A, Q, B, R>): Route {
  const { method } = declaration;
  return {
    mount: "api",
    aliasId: undefined,
    isDeprecated: false,
    isUnlisted: false,
    isPage: false,
    isOpen: false,
    scopeLevel: method === "GET" || method === "HEAD" ? "read" : "write",
    refusesPublicOnly: false,
    ignoresCredentials: false,
    query: {},
    body: undefined,
    readsQueryAsBody: false,
    acceptsNoBody: false,
    streamsBody: false,
    uploadField: undefined,
    uploadsAlone: false,
    formFiles: 0,
    formUploads: 0,
    bodyLimitBytes: undefined,
    refusals: {},
    ...declaration,
    ...(declaration.isPage && declaration.body && { body: withFieldLengths(declaration.body) }),
    aliases: [...(declaration.aliases ?? []), ...issueAliases(declaration.path)],
  } as Route;
}

const belowIssue = "/repos/{owner}/{repo}/issues/{index}/";

/** @compat the interface document has operations below an issue at `/issue/{index}/`, others at `/issues/{index}/`: both paths serve all of them */
const issueAliases = (path: string): readonly string[] => (path.startsWith(belowIssue) ? [path.replace("/issues/", "/issue/")] : []);
