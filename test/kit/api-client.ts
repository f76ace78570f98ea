import { checkAnswer } from "./checked-answers.ts";

/** A response as received. */
export interface ApiAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. @throws Error for any other body */
  readonly json: T;
}

/** A pending request: await it for the whole response, or `expect` a status for its body. */
export interface ApiCall<T> extends Promise<ApiAnswer<T>> {
  /** @throws Error with the response, if its status differs */
  expect(status: number): Promise<T>;
}

/** A body whose members are not typed. */
// biome-ignore lint/suspicious/noExplicitAny: tests hold the contract by their own expectations
type Loose = any;

/** Paths are below `/api/v1`; one that begins with `//` is from the root. Each response of the API is held against its description. */
export interface ApiClient {
  get<T = Loose>(path: string, headers?: Readonly<Record<string, string>>): ApiCall<T>;
  post<T = Loose>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): ApiCall<T>;
  put<T = Loose>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): ApiCall<T>;
  patch<T = Loose>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): ApiCall<T>;
  delete<T = Loose>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): ApiCall<T>;
}

/** @param authorization value of the header; without it, the caller is anonymous */
export function createApiClient(origin: string, authorization?: string): ApiClient {
  const call =
    (method: string) =>
    (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const isRoot = path.startsWith("//");
      const address = isRoot ? `${origin}${path.slice(1)}` : `${origin}/api/v1${path}`;
      const given = typeof body === "string" || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body);
      const answer = fetch(address, {
        method,
        redirect: "manual",
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(given !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(given !== undefined && { body: given as NonNullable<RequestInit["body"]> }),
      }).then(async (response) => {
        const text = await response.text();
        const contentType = response.headers.get("content-type") ?? undefined;
        await checkAnswer({ method, path: new URL(address).pathname, status: response.status, contentType, text });
        return {
          status: response.status,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text);
          },
        };
      });
      return Object.assign(answer, {
        expect: async (status: number) => {
          const got = await answer;
          if (got.status !== status) throw new Error(`${method} ${path}: expected ${status}, got ${got.status}: ${got.text.slice(0, 500)}`);
          return got.text === "" ? undefined : got.json;
        },
      });
    };
  return {
    get: (path, headers) => call("GET")(path, undefined, headers),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
  } as ApiClient;
}

/** The status and the message of a response, for refusals; the message is undefined for an empty body. */
export async function statusAndMessage(call: PromiseLike<{ readonly status: number; readonly text: string }>): Promise<readonly [number, string | undefined]> {
  const { status, text } = await call;
  return [status, text === "" ? undefined : JSON.parse(text).message];
}
