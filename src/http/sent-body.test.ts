import { expect, test } from "vitest";
import { inject } from "../../test/kit/inject.ts";
import { openWideLane } from "../../test/kit/lanes.ts";
import { silentLog } from "../../test/kit/logs.ts";
import { createUrls } from "../core/urls.ts";
import { field, int, list, nullable, option, text } from "../wire/schema.ts";
import { anyone } from "./access.ts";
import { raw } from "./answers.ts";
import { defineRoute, type Method } from "./route.ts";
import { createHttpServer } from "./server.ts";

const Option = option("Sample", { title: field("Title", text()), tags: field("Tags", list(text())), count: field("Count", nullable(int())) });

const routes = (["POST", "PUT", "PATCH", "DELETE"] satisfies Method[]).map((method) =>
  defineRoute({
    id: `echo${method}`,
    method,
    path: "/echo",
    tag: "miscellaneous",
    summary: "",
    scope: "none",
    access: anyone,
    body: Option,
    answers: raw(["application/json"]),
    handle: ({ body }) => ({ status: 200, body: JSON.stringify(body) }),
  }),
);

const server = createHttpServer({
  pageLane: openWideLane(),
  readLane: openWideLane(),
  routes,
  identities: { byToken: async () => undefined, bySession: async () => undefined, byPassword: async () => undefined, bySudo: async () => undefined },
  subjects: {} as never,
  idempotency: { run: (_request, handle) => handle() },
  drafts: { taken: async () => {} },
  metrics: { observe: () => undefined, requests: () => 0, expose: async () => ({ contentType: "", text: "" }) },
  errorPages: { refusal: () => ({ headers: {}, body: "" }) },
  log: silentLog,
  writeRequestLine: () => undefined,
  options: {
    urls: createUrls(() => "http://forge.example"),
    pageLimits: { default: 30, max: 50 },
    bodyLimitBytes: 4_000_000,
    allowsAnonymous: true,
    trustedProxies: [],
    readProxyUser: () => undefined,
  },
});

async function send(method: Method, payload: string | undefined, contentType?: string, query = "") {
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  const answer = await inject(server, { method, url: `/api/v1/echo${query}`, headers, ...(payload !== undefined && { payload }) });
  const json = answer.json();
  return answer.statusCode === 200 ? json : `${answer.statusCode} ${json.message}`;
}

test.each([
  "application/json",
  "application/json; charset=utf-8",
  "Application/JSON",
  "text/json",
  "application/vnd.api+json",
  "application/x-json",
  "application/problem+json",
  "application/json, text/plain",
])("reads a body of the type %s as JSON", async (type) => {
  expect(await send("POST", '{"title":"x"}', type)).toEqual({ title: "x", tags: [], count: null });
});

test.each([
  ["POST", "text/plain", "422 []: Unsupported Content-Type"],
  ["POST", "application/xml", "422 []: Unsupported Content-Type"],
  ["POST", undefined, "422 []: Empty Content-Type"],
  ["PUT", undefined, "422 []: Empty Content-Type"],
  ["PATCH", undefined, "422 []: Empty Content-Type"],
] as const)("rejects a JSON body of a %s with the type %s", async (method, type, answer) => {
  expect(await send(method, '{"title":"x"}', type)).toBe(answer);
});

test.each(["PATCH", "DELETE"] as const)("reads the fields of a %s without type and body from the query", async (method) => {
  expect(await send(method, undefined)).toEqual({ title: "", tags: [], count: null });
  expect(await send(method, undefined, undefined, "?title=x&count=3")).toEqual({ title: "x", tags: [], count: 3 });
});

test.each(["POST", "PUT"] as const)("rejects a %s without type and body", async (method) => {
  expect(await send(method, undefined)).toBe("422 []: Empty Content-Type");
});

test.each(['{"title":"x"} trailing', '{"title":"x"}{"title":"y"}', '{"title":"x"}}', '  {"title":"x"}\n,'])(
  "ignores the text after the JSON value in %s",
  async (payload) => {
    expect(await send("POST", payload, "application/json")).toMatchObject({ title: "x" });
  },
);

test("finds the end of a JSON value after brackets and quotes inside its strings", async () => {
  expect(await send("POST", '{"title":"}\\"]{","tags":["]"]} }', "application/json")).toMatchObject({ title: '}"]{', tags: ["]"] });
  expect(await send("POST", "null x", "application/json")).toMatchObject({ title: "" });
});

test.each(['{"title":"x"', '{"title":"x} y', "{title} x", "x", '"a" x'])("rejects the body %s, which does not begin with a JSON object", async (payload) => {
  expect(await send("POST", payload, "application/json")).toMatch(/^422 \[\]: the body is not valid JSON: /);
});

test.each([
  ["lists", `{"title":"x","unknown":[${"[],".repeat(250_000)}1]}`],
  ["members", `{${Array.from({ length: 100_000 }, (_, at) => `"${at}":1,`).join("")}"title":"x"}`],
])("rejects a JSON body with too many %s", async (_what, payload) => {
  expect(await send("POST", payload, "application/json")).toBe("413 the request body has too many values: send several smaller requests");
});

test("reads a large JSON body with few values", async () => {
  expect(await send("POST", JSON.stringify({ title: "x", unknown: ",".repeat(3_000_000) }), "application/json")).toMatchObject({ title: "x" });
});

test("rejects an urlencoded form with too many fields", async () => {
  const payload = (fields: number): string => `title=x${"&a".repeat(fields - 1)}`;
  expect(await send("POST", payload(10_000), "application/x-www-form-urlencoded")).toMatchObject({ title: "x" });
  expect(await send("POST", payload(10_001), "application/x-www-form-urlencoded")).toBe("413 the form has more than 10000 fields");
});

const multipart = (...parts: readonly string[]) => `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--b--\r\n`;
const formType = "multipart/form-data; boundary=b";

test("reads a multipart form as fields, a repeated name as a list", async () => {
  const payload = multipart('name="title"\r\n\r\nx y', 'name="tags"\r\n\r\na', 'name="tags"\r\n\r\nb,c', 'name="count"\r\n\r\n3');
  for (const method of ["POST", "PATCH"] as const) expect(await send(method, payload, formType)).toEqual({ title: "x y", tags: ["a", "b,c"], count: 3 });
});

test("reads an urlencoded form as fields, a repeated name as a list", async () => {
  expect(await send("POST", "title=x+y&tags=a&tags=b&count=3", "application/x-www-form-urlencoded")).toEqual({ title: "x y", tags: ["a", "b"], count: 3 });
});

test("rejects a file in a form without file fields, and names its field", async () => {
  const payload = multipart('name="title"\r\n\r\nx', 'name="screenshot"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n123');
  expect(await send("POST", payload, formType)).toBe("422 []: this request does not accept files: remove the file in the field screenshot");
});

test.each([
  ["cut off", '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx'],
  ["without a part", "x"],
])("rejects a multipart form that is %s", async (_what, payload) => {
  expect(await send("POST", payload, formType)).toBe("400 the form cannot be read");
});
