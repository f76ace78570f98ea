import type { IncomingMessage } from "node:http";
import type { Static, TSchema } from "typebox";
import type { Actor } from "../access/actor.ts";
import type { Page, PageLimits } from "../core/paging.ts";
import type { Access, Scope, SubjectsOf } from "./access.ts";
import type { Answers, ResultOf } from "./answers.ts";
import type { FormFile } from "./form-files.ts";
import { withFieldLengths } from "./form-lengths.ts";
import type { UploadForm } from "./form-uploads.ts";
import type { QueryDeclaration, QueryOf } from "./query.ts";
import type { ProxyUser } from "./trusted-proxies.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The parameter names in a path: `{owner}` matches one segment, `{filepath+}` one or more, `{filepath*}` zero or more. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}+` ? Base : Name extends `${infer Base}*` ? Base : Name) | ParameterNames<Rest>
  : never;
export type PathParameters<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** The arguments of a handler. */
export type RequestOf<Path extends string, A extends Access, Q extends QueryDeclaration, B extends TSchema | undefined> = SubjectsOf<A> & {
  readonly params: PathParameters<Path>;
  readonly query: QueryOf<Q>;
  readonly body: B extends TSchema ? Static<B> : undefined;
  /** From `page` and `limit`, clamped. */
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The raw body as a stream, only for routes with `streamsBody`. */
  readonly stream: IncomingMessage | undefined;
  /** Files of the form, on routes that declare `formFiles`; otherwise empty. */
  readonly files: readonly FormFile[];
  /** The form itself, on routes that declare `formUploads`. */
  readonly form: UploadForm | undefined;
  /** Path and query of the request as received, for redirects. */
  readonly url: string;
  readonly remoteAddress: string;
  /** Value of the session cookie, valid or not: form tokens are bound to it. */
  readonly session: string | undefined;
  /** The user authenticated by a trusted reverse proxy, if that is enabled. */
  readonly proxied: ProxyUser | undefined;
  /** Waits for a place in the lane of reads, which is held until the response is complete. For handlers that find the caller themselves. */
  readonly enter: EnterReads;
};

export type EnterReads = (actor: Actor) => Promise<void>;

export interface RouteDeclaration<Path extends string, A extends Access, Q extends QueryDeclaration, B extends TSchema | undefined, R extends Answers> {
  /** Operation id of the contract. */
  readonly id: string;
  readonly method: Method;
  /** Below `/api/v1`, or below the root when `mount` is `root`. */
  readonly path: Path;
  readonly mount?: "api" | "root";
  /**
   * Further paths of the same route, with the same parameter names; not part of the description. Paths below an issue have an implicit
   * alias.
   */
  readonly aliases?: readonly string[];
  /** The description includes the first alias as a separate operation with this id. */
  readonly aliasId?: string;
  readonly tag: string;
  readonly summary: string;
  readonly isDeprecated?: boolean;
  /** Not part of the published description: routes beyond the contract's operations. */
  readonly isUnlisted?: boolean;
  /** An HTML page: errors are pages, and anonymous readers are redirected to the sign-in page where signing in is required. */
  readonly isPage?: boolean;
  /** Available to anonymous callers even if the server requires signing in: the sign-in pages. */
  readonly isOpen?: boolean;
  /** Treats every caller as anonymous, also on servers that require signing in. */
  readonly ignoresCredentials?: boolean;

  readonly access: A;
  readonly scope: Scope;
  /** Overrides the level of the method: a POST that only reads still needs `write` in Gitea, so this is for git transport. */
  readonly scopeLevel?: "read" | "write";
  /** Rejects tokens limited to public resources, because the route is about private data of the caller. */
  readonly refusesPublicOnly?: boolean;

  readonly query?: Q;
  /** Page sizes that differ from those of other lists. */
  readonly pageLimits?: PageLimits;
  /** A record is parsed from JSON or a form; a string is the raw body, whatever its media type. */
  readonly body?: B;
  /** @compat The body's fields may be in the query instead, for clients that send no body with a DELETE (contents/change.test.ts). */
  readonly readsQueryAsBody?: boolean;
  /** The handler reads the request body as a stream. */
  readonly streamsBody?: boolean;
  /** A file is sent in this form field, or as the raw body. The handler, which declares `streamsBody` too, reads it with `receiveUpload`. */
  readonly uploadField?: string;
  /** The description says that the file may be sent as the raw body. */
  readonly uploadsAlone?: boolean;
  /** Maximum number of files in the page's form; `bodyLimitBytes` limits their total size together with the fields. */
  readonly formFiles?: number;
  /**
   * Maximum number of files of any size in the page's form. The handler reads files and fields from `form`; `bodyLimitBytes` limits the
   * fields.
   */
  readonly formUploads?: number;
  /** A request without a body is accepted: every field has its zero value, and no rule is checked. */
  readonly acceptsNoBody?: boolean;
  /** Maximum body size in bytes. The default is for small JSON. */
  readonly bodyLimitBytes?: number;
  readonly answers: R;
  /** Statuses of refusals in the description, with the contract's response names. */
  readonly refusals?: Readonly<Record<number, string>>;

  /**
   * The work is expensive: requests wait for a place in the lane of pages (`core/lanes.ts`), which they hold until the response is complete.
   */
  readonly isExpensive?: boolean;
  /** The handler enters a lane itself: it knows the caller (`enter`), or whether the answer needs work. */
  readonly entersLane?: boolean;

  readonly handle: (request: RequestOf<Path, A, Q, B>) => Promise<ResultOf<R>> | ResultOf<R>;
}

/** A declared route with erased types, which is served and described. */
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
  readonly pageLimits: PageLimits | undefined;
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
  readonly isExpensive: boolean;
  readonly entersLane: boolean;
  readonly handle: (request: never) => unknown;
}

/** Declares a route. A declaration without access, scope or answers does not compile. @throws Error at start-up for an invalid path */
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
    pageLimits: undefined,
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
    isExpensive: false,
    entersLane: false,
    ...declaration,
    ...(declaration.isPage && declaration.body && { body: withFieldLengths(declaration.body) }),
    aliases: [...(declaration.aliases ?? []), ...issueAliases(declaration.path)],
  } as Route;
}

const belowIssue = "/repos/{owner}/{repo}/issues/{index}/";

/**
 * @compat Gitea has some operations below an issue at `/issue/{index}/` and others at `/issues/{index}/`. Both paths serve all of them
 * (issues/api/aliases.test.ts).
 */
const issueAliases = (path: string): readonly string[] => (path.startsWith(belowIssue) ? [path.replace("/issues/", "/issue/")] : []);
