import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inject } from "../../test/kit/inject.ts";
import { openWideLane } from "../../test/kit/lanes.ts";
import { silentLog } from "../../test/kit/logs.ts";
import { anonymous, type UserActor } from "../access/actor.ts";
import { allScopes, parseScopes } from "../access/scopes.ts";
import { forbidden, invalid, malformed, notFound, unavailable } from "../core/errors.ts";
import type { Pace } from "../core/pace.ts";
import { createUrls } from "../core/urls.ts";
import { MarkdownOption } from "../wire/markup.ts";
import { ServerVersion } from "../wire/meta.ts";
import { anyone, repository, signedIn } from "./access.ts";
import { empty, json, list, raw } from "./answers.ts";
import type { BodyPaces } from "./body-pace.ts";
import { query } from "./query.ts";
import { defineRoute, type Route } from "./route.ts";
import { createHttpServer, type HttpDeps, type RequestLine, type WriteRequestLine } from "./server.ts";

const alice: UserActor = {
  kind: "user",
  id: 1,
  name: "alice",
  fullName: "",
  email: "alice@example.com",
  hideEmail: false,
  isAdmin: false,
  isRestricted: false,
  credential: { kind: "token", scopes: allScopes, isBasic: false },
};
const narrow = { ...alice, credential: { ...alice.credential, scopes: parseScopes(["read:issue"]) as typeof allScopes } };
const wide = "a".repeat(40);
const narrowToken = "b".repeat(40);

const serverOf = (...routes: Route[]) => observedServer(() => undefined, ...routes);

const observedServer = (writeRequestLine: WriteRequestLine, ...routes: Route[]) => createHttpServer(depsOf(writeRequestLine, ...routes));

const depsOf = (writeRequestLine: WriteRequestLine, ...routes: Route[]): HttpDeps => ({
  pageLane: openWideLane(),
  readLane: openWideLane(),
  routes,
  identities: {
    byToken: async (token) => (token === wide ? { actor: alice } : token === narrowToken ? { actor: narrow } : undefined),
    bySession: async () => undefined,
    byPassword: async () => undefined,
    bySudo: async () => undefined,
  },
  subjects: {
    account: async () => ({ movedTo: "present", isAccountRenamed: true }),
    organization: async () => ({ movedTo: "present", isAccountRenamed: true }),
    team: async () => Promise.reject(notFound()),
    repository: async () => ({ movedTo: "new-owner/new-name", isAccountRenamed: false }),
  },
  idempotency: { run: (_request, handle) => handle() },
  drafts: { taken: async () => {} },
  metrics: { observe: () => undefined, requests: () => 0, expose: async () => ({ contentType: "", text: "" }) },
  errorPages: { refusal: ({ status, message }) => ({ headers: { "content-type": "text/html" }, body: `<p>${status} ${message}</p>` }) },
  log: silentLog,
  writeRequestLine,
  options: {
    urls: createUrls(() => "http://forge.example"),
    pageLimits: { default: 30, max: 50 },
    bodyLimitBytes: 1_000,
    allowsAnonymous: true,
    trustedProxies: [],
    readProxyUser: () => undefined,
  },
});

const common = { tag: "miscellaneous", summary: "", scope: "none" } as const;
const version = (path: string, access: typeof anyone | typeof signedIn = anyone) =>
  defineRoute({ ...common, id: path, method: "GET", path, access, answers: json(200, ServerVersion), handle: () => ({ version: path }) });
const auth = (token: string) => ({ authorization: `token ${token}` });

test("rejects an upload with an Idempotency-Key before it is read, because an ignored key would give a false guarantee", async () => {
  let taken = 0;
  const upload = defineRoute({
    ...common,
    id: "up",
    method: "POST",
    path: "/up",
    access: anyone,
    streamsBody: true,
    answers: empty(),
    handle: () => {
      taken += 1;
    },
  });
  const send = (headers: Record<string, string>) => inject(serverOf(upload), { method: "POST", url: "/api/v1/up", headers, payload: "x" });
  const refused = await send({ ...auth(wide), "idempotency-key": "k" });
  expect([refused.statusCode, refused.json().message, taken]).toEqual([422, expect.stringContaining("Idempotency-Key does not work for uploads"), 0]);
  expect([(await send(auth(wide))).statusCode, taken]).toEqual([204, 1]);
});

test.each([["application"], ["text/plain"], ["application/;"]])("rejects a body of the unsupported type %s", async (type) => {
  const save = defineRoute({ ...common, id: "save", method: "POST", path: "/save", access: anyone, body: MarkdownOption, answers: empty(), handle: () => {} });
  const { statusCode, body } = await inject(serverOf(save), { method: "POST", url: "/api/v1/save", headers: { "content-type": type }, payload: "{}" });
  expect([statusCode, body]).toEqual([422, expect.stringContaining("Unsupported Content-Type")]);
});

describe("route declarations", () => {
  test("do not compile and do not start without access or scope", () => {
    // @ts-expect-error access is missing
    const withoutAccess = defineRoute({ ...common, id: "x", method: "GET", path: "/x", answers: empty(), handle: () => undefined });
    // @ts-expect-error scope is missing
    const withoutScope = defineRoute({ id: "y", method: "GET", path: "/y", tag: "t", summary: "", access: anyone, answers: empty(), handle: () => undefined });
    expect(() => serverOf(withoutAccess)).toThrow("route x (GET /x) does not declare access or scope");
    expect(() => serverOf(withoutScope)).toThrow("route y (GET /y) does not declare access or scope");
  });

  test("type the handler's result by the declared answers", () => {
    // @ts-expect-error a version is a string
    defineRoute({ ...common, id: "x", method: "GET", path: "/x", access: anyone, answers: json(200, ServerVersion), handle: () => ({ version: 1 }) });
    // @ts-expect-error the path has no such parameter
    defineRoute({ ...common, id: "x", method: "GET", path: "/x/{id}", access: anyone, answers: empty(), handle: ({ params }) => void params.name });
  });

  test("reject two routes with one method and path", () => {
    expect(() => serverOf(version("/a/{b}"), version("/a/{c}"))).toThrow("/api/v1/a/{b} and /api/v1/a/{c} both match the same GET requests");
  });
});

describe("route lookup", () => {
  test("prefers literal text after a rest parameter", async () => {
    const server = serverOf(version("/commits/{ref+}"), version("/commits/{ref+}/status"));
    const answer = async (path: string) => (await inject(server, `/api/v1${path}`)).json().version;
    expect(await answer("/commits/feature/x/status")).toBe("/commits/{ref+}/status");
    expect(await answer("/commits/feature/x")).toBe("/commits/{ref+}");
    expect(await answer("/commits/feature%2Fx/")).toBe("/commits/{ref+}");
  });

  test.each(["/api/v1/a/%ff", "/api/v1/none"])("returns 404 for %s", async (path) => {
    const answer = await inject(serverOf(version("/a/{b+}")), path);
    expect([answer.statusCode, answer.body]).toEqual([404, "404 page not found\n"]);
  });

  test.each(["/api/v1/a/..%2fb", "/api/v1/a/x%2f%2e%2e%2fb", "/api/v1/a/x%00y", `/api/v1/a/${"x".repeat(4_097)}`])(
    "returns the 404 of the API for %.30s, which an operation has as its path",
    async (path) => {
      const answer = await inject(serverOf(version("/a/{b+}")), path);
      expect([answer.statusCode, answer.json()]).toEqual([404, { errors: null, message: "not found", url: expect.stringContaining("/api/swagger") }]);
    },
  );

  test.each(["//api/v1/a/x", "/api//v1///a//x", "/api/v1/a/x//", "http://forge.example//api/v1//a/x"])("serves %s as /api/v1/a/x", async (path) => {
    const answer = await inject(serverOf(version("/a/{b}")), `${path}?back=http://other.example//y`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { version: "/a/{b}" }]);
  });

  test("lists the methods of a known path in Allow", async () => {
    const answer = await inject(serverOf(version("/a/{b}")), { method: "DELETE", url: "/api/v1/a/x" });
    expect([answer.statusCode, answer.headers.allow, answer.body]).toEqual([405, "GET", ""]);
  });
});

describe("authorization", () => {
  test.each([
    [["user", "repository"], "read:user"],
    [["user", "organization"], "read:user read:organization"],
  ] as const)(
    "rejects a token that lacks the scopes %j before the repository is looked up, and names those of the first failed check",
    async (scope, named) => {
      const route = defineRoute({
        ...common,
        scope,
        id: "r",
        method: "GET",
        path: "/repos/{owner}/{repo}",
        access: repository.visible,
        answers: empty(),
        handle: () => undefined,
      });
      const answer = await inject(serverOf(route), { url: "/api/v1/repos/o/r", headers: auth(narrowToken) });
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        {
          message: `token does not have at least one of required scope(s), required=[${named}], token scope=read:issue`,
          url: "http://forge.example/api/swagger",
        },
      ]);
    },
  );

  test("redirects to the current name of a renamed resource and keeps the rest of the URL", async () => {
    const route = defineRoute({
      ...common,
      id: "r",
      method: "GET",
      path: "/repos/{owner}/{repo}/x/{rest+}",
      access: repository.visible,
      answers: empty(),
      handle: () => undefined,
    });
    const answer = await inject(serverOf(route), "/api/v1/repos/repos/x/x/repos/x?page=2&limit=1");
    expect([answer.statusCode, answer.headers.location]).toEqual([301, "/api/v1/repos/new-owner/new-name/x/repos/x?page=2&limit=1"]);
    expect(answer.body).toBe('<a href="/api/v1/repos/new-owner/new-name/x/repos/x?page=2&amp;limit=1">Moved Permanently</a>.\n\n');
  });

  test("treats requests without credentials as anonymous and requires signing in where declared", async () => {
    expect((await inject(serverOf(version("/a", signedIn)), "/api/v1/a")).statusCode).toBe(401);
    expect((await inject(serverOf(version("/a", signedIn)), { url: "/api/v1/a", headers: auth(wide) })).statusCode).toBe(200);
    const route = defineRoute({
      ...common,
      id: "a",
      method: "GET",
      path: "/a",
      access: anyone,
      answers: raw(["text/plain"]),
      handle: ({ actor }) => ({ status: 200, body: String(actor === anonymous) }),
    });
    expect((await inject(serverOf(route), "/api/v1/a")).body).toBe("true");
  });
});

describe("error responses", () => {
  const failing = (error: unknown) =>
    defineRoute({
      ...common,
      id: "f",
      method: "GET",
      path: "/f",
      access: anyone,
      answers: empty(),
      handle: () => {
        throw error;
      },
    });

  test.each([
    [invalid("[Name]: Required"), 422, '{"message":"[Name]: Required","url":"http://forge.example/api/swagger"}\n'],
    [malformed("<b>&"), 400, '{"message":"\\u003cb\\u003e\\u0026","url":"http://forge.example/api/swagger"}\n'],
    [invalid("x", { body: "null" }), 422, "null\n"],
    [new Error("the secret is 42"), 500, '{"message":"","url":"http://forge.example/api/swagger"}\n'],
  ])("%s", async (error, status, body) => {
    const answer = await inject(serverOf(failing(error)), "/api/v1/f");
    expect([answer.statusCode, answer.body]).toEqual([status, body]);
  });

  test("sends Retry-After for temporary errors", async () => {
    const answer = await inject(serverOf(failing(unavailable("not now", { retryAfter: 7 }))), "/api/v1/f");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "7"]);
  });

  test("truncates a failed response so that clients do not mistake it for a complete one", async () => {
    const body = new PassThrough();
    const route = defineRoute({
      ...common,
      id: "s",
      method: "GET",
      path: "/s",
      access: anyone,
      answers: raw(["text/plain"]),
      handle: () => ({ status: 200, body }),
    });
    const server = serverOf(route);
    await server.listen({ host: "127.0.0.1", port: 0 });
    const port = server.port();
    body.write("half");
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/s`, { signal: AbortSignal.timeout(10_000) });
    body.destroy(new Error("git ended badly"));
    await expect(response.text()).rejects.toThrow();
    await server.close();
  });

  test("completes responses in progress when the server closes, and then closes their connections", async () => {
    const body = new PassThrough();
    const answers = raw(["text/plain"]);
    const server = serverOf(defineRoute({ ...common, id: "s", method: "GET", path: "/s", access: anyone, answers, handle: () => ({ status: 200, body }) }));
    await server.listen({ host: "127.0.0.1", port: 0 });
    const port = server.port();
    body.write("one ");
    // fetch keeps its connections open, longer than this test may take.
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/s`);
    const closed = server.close();
    body.end("half and the other");
    expect(await response.text()).toBe("one half and the other");
    await closed;
  });
});

describe("request log lines", () => {
  test("contain the path without the query, and the route", async () => {
    const lines: RequestLine[] = [];
    const server = observedServer((line) => void lines.push(line), version("/a/{b}"));
    await server.listen({ host: "127.0.0.1", port: 0 });
    for (const url of ["/api/v1/a/x?token=", "/nowhere?token=secret"]) await (await fetch(`http://127.0.0.1:${server.port()}${url}`)).text();
    await server.close();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines).toMatchObject([
      { method: "GET", path: "/api/v1/a/x", status: 200, route: "/a/{b}" },
      { method: "GET", path: "/nowhere", status: 404, route: undefined },
    ]);
    const ids = lines.map(({ requestId }) => requestId);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test("report a client that disconnects before the first byte of a stream without an error, and its source is closed", async () => {
    const noted: string[] = [];
    const note = (level: string) => (_meta: object, message: string) => void noted.push(`${level}: ${message}`);
    const body = new PassThrough();
    const route = defineRoute({
      ...common,
      id: "s",
      method: "GET",
      path: "/s",
      access: anyone,
      answers: raw(["text/plain"]),
      handle: () => ({ status: 200, body }),
    });
    const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
    const server = createHttpServer({ ...depsOf(() => undefined, route), log });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${server.port()}/api/v1/s`, { signal: leaving.signal });
    await expect.poll(() => body.listenerCount("readable")).toBeGreaterThan(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => noted).toEqual(["info: the client disconnected before the response"]);
    expect(body.destroyed).toBe(true);
    await server.close();
  });

  test("report that the client did not wait for the response", async () => {
    const lines: RequestLine[] = [];
    const answers = raw(["text/plain"]);
    const requested = Promise.withResolvers<AbortSignal>();
    const waiting = defineRoute({
      ...common,
      id: "w",
      method: "GET",
      path: "/w",
      access: anyone,
      answers,
      handle: async ({ signal }) => {
        requested.resolve(signal);
        await once(signal, "abort");
        return { status: 200, body: "late" };
      },
    });
    const server = observedServer((line) => void lines.push(line), waiting);
    await server.listen({ host: "127.0.0.1", port: 0 });
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${server.port()}/api/v1/w`, { signal: leaving.signal });
    await requested.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await server.close();
    await expect.poll(() => lines).toMatchObject([{ path: "/api/v1/w", status: 499, route: "w" }]);
  });
});

test("parses query parameters leniently except for times", async () => {
  const route = defineRoute({
    ...common,
    id: "q",
    method: "GET",
    path: "/q",
    access: anyone,
    query: { flag: query.bool(""), count: query.integer(""), since: query.time(""), names: query.texts("") },
    answers: list(ServerVersion, "total"),
    handle: ({ query: given, page }) => ({ items: [{ version: JSON.stringify([given.flag, given.count, given.since, given.names, page.limit]) }], total: 1 }),
  });
  const server = serverOf(route);
  const read = async (search: string) => (await inject(server, `/api/v1/q?${search}`)).json();
  expect((await read("flag=T&count=x&names=a,b&names=c&limit=999"))[0].version).toBe('[true,null,null,["a","b","c"],50]');
  expect((await read("flag=yes"))[0].version).toBe("[null,null,null,[],30]");
  expect((await read("since=1970-01-01T00:00:01Z"))[0].version).toBe("[null,null,1000,[],30]");
  expect((await read("since=yesterday")).message).toContain('since: "yesterday" is not an RFC 3339 time');
});

describe("pages", () => {
  const page = { ...common, mount: "root", method: "GET", isPage: true, answers: raw(["text/html"]) } as const;
  const server = serverOf(
    defineRoute({ ...page, id: "mine", path: "/mine", access: signedIn, handle: () => ({ status: 200, body: "mine" }) }),
    defineRoute({
      ...page,
      id: "forbidden",
      path: "/forbidden",
      access: anyone,
      handle: () => {
        throw forbidden("not for you");
      },
    }),
    defineRoute({ ...page, id: "save", method: "POST", path: "/save", access: signedIn, handle: () => ({ status: 200, body: "saved" }) }),
    defineRoute({ ...page, id: "open", path: "/open", access: anyone, query: { q: query.text("") }, handle: ({ query: { q } }) => whole(q ?? "") }),
    defineRoute({ ...page, id: "door", path: "/door", access: anyone, isOpen: true, handle: () => whole("a form") }),
    defineRoute({ ...page, id: "late", path: "/late", access: anyone, handle: () => ({ ...whole(""), body: { pieces: late() } }) }),
  );
  const whole = (body: string) => ({ status: 200, headers: { "content-type": "text/html", "cache-control": "private, no-store" }, body });
  async function* late(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("a piece");
  }

  test("redirects anonymous readers to the sign-in page and back to the requested page", async () => {
    const { statusCode, headers } = await inject(server, "/mine?tab=a%26b");
    expect([statusCode, headers.location]).toEqual([303, "/user/login?redirect_to=%2Fmine%3Ftab%3Da%2526b"]);
    // A form cannot be submitted again from there.
    expect((await inject(server, { method: "POST", url: "/save" })).headers.location).toBe("/user/login");
    expect((await inject(server, { url: "/mine", headers: auth(wide) })).body).toBe("mine");
  });

  test("lets browsers of anonymous visitors cache a complete page and revalidate it on each use", async () => {
    const first = await inject(server, "/open?q=one");
    const etag = `${first.headers.etag}`;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(first.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Accept-Encoding, Accept-Language, Cookie" });
    const again = await inject(server, { url: "/open?q=one", headers: { "if-none-match": `"other", ${etag}` } });
    expect([again.statusCode, again.body, again.headers.etag, again.headers.vary]).toEqual([304, "", etag, "Accept-Encoding, Accept-Language, Cookie"]);
    const changed = await inject(server, { url: "/open?q=two", headers: { "if-none-match": etag } });
    expect([changed.statusCode, changed.body]).toEqual([200, "two"]);
  });

  test("forbids caching of pages with secrets: of signed-in users, sign-in pages, and streamed pages", async () => {
    const { etag } = (await inject(server, "/open")).headers;
    const cookie = `hearth_session=${"x".repeat(43)}`;
    for (const [url, headers] of [
      ["/open", auth(wide)],
      ["/open", { cookie }],
      ["/door", {}],
      ["/late", {}],
    ] as const) {
      const answer = await inject(server, { url, headers: { ...headers, "if-none-match": `*, ${etag}` } });
      expect([answer.statusCode, answer.headers["cache-control"], answer.headers.etag], url).toEqual([200, "private, no-store", undefined]);
    }
  });

  test("answers HEAD like GET without the body on pages, and rejects it in the API", async () => {
    const got = await inject(server, "/open?q=one");
    const head = await inject(server, { method: "HEAD", url: "/open?q=one" });
    expect([head.statusCode, head.body, head.headers.etag, head.headers["content-length"]]).toEqual([200, "", got.headers.etag, "3"]);
    const late = await inject(server, { method: "HEAD", url: "/late" });
    expect([late.statusCode, late.body]).toEqual([200, ""]);
    expect((await inject(server, { method: "HEAD", url: "/nowhere" })).statusCode).toBe(404);
    expect((await inject(serverOf(version("/ping")), { method: "HEAD", url: "/api/v1/ping" })).statusCode).toBe(405);
  });

  test("shows errors as pages, with the same status as elsewhere", async () => {
    const { statusCode, headers, body } = await inject(server, "/forbidden");
    expect([statusCode, headers["content-type"], body]).toEqual([403, "text/html", "<p>403 not for you</p>"]);
  });
});

describe("slow request bodies", () => {
  const slow: Pace = { bytesPerSecond: 1_000, windowMs: 200, idleMs: 60_000 };
  const fast: Pace = { bytesPerSecond: 0, windowMs: 60_000, idleMs: 60_000 };
  const save = defineRoute({ ...common, id: "save", method: "POST", path: "/save", access: anyone, body: MarkdownOption, answers: empty(), handle: () => {} });
  const upload = defineRoute({
    ...common,
    id: "up",
    method: "POST",
    path: "/up",
    access: anyone,
    streamsBody: true,
    answers: empty(),
    handle: async ({ stream }) => {
      for await (const _ of stream ?? []);
    },
  });

  /** Posts a byte every 20 ms until the server closes the connection. */
  async function drip(bodyPaces: BodyPaces, path: string): Promise<string> {
    const server = createHttpServer({ ...depsOf(() => undefined, save, upload), bodyPaces });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(server.port(), "127.0.0.1").on("error", () => undefined);
    socket.write(`POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`);
    const timer = setInterval(() => socket.write(" "), 20);
    // A write after the server has closed the connection fails, and must not hide the response.
    let response = "";
    socket.setEncoding("latin1").on("data", (part) => {
      response += part;
    });
    await once(socket, "close");
    clearInterval(timer);
    await server.close();
    return response;
  }

  test.each([
    ["/save", { small: slow, upload: fast }],
    ["/up", { small: fast, upload: slow }],
  ])("slow bodies get 408 and a closed connection: %s", async (path, paces) => {
    const response = await drip(paces, path);
    expect(response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(response).toMatch(/\r\nconnection: close\r\n/i);
    expect(response).toContain('"message":"the request body arrived too slowly: send the request again"');
  });

  test("slow bodies are accepted when the reader is the slow side", async () => {
    const held = defineRoute({
      ...common,
      id: "held",
      method: "POST",
      path: "/held",
      access: anyone,
      streamsBody: true,
      answers: empty(),
      handle: async ({ stream }) => {
        await delay(500);
        for await (const _ of stream ?? []);
      },
    });
    const server = createHttpServer({ ...depsOf(() => undefined, held), bodyPaces: { small: slow, upload: { ...slow, idleMs: 200 } } });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { status } = await fetch(`http://127.0.0.1:${server.port()}/api/v1/held`, { method: "POST", body: "x".repeat(1_000) });
    expect(status).toBe(204);
    await server.close();
  });
});
