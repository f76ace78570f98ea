import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeBody } from "../../src/http/decode-body.ts";
import type { Route } from "../../src/http/route.ts";
import { asSchema, type Schema } from "../../src/wire/schema.ts";
import { type Browser, type BrowserAnswer, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";

/** Every string, list and map of a form has a declared limit, and its input element has the same one. */

const fieldsOf = ({ body }: Route): [string, Schema][] => (body === undefined ? [] : Object.entries(asSchema(body).properties ?? {}));
const limitOf = ({ type, maxLength, maxItems }: Schema): number | undefined => (type === "array" || type === "object" ? maxItems : maxLength);
const isBounded = ({ type }: Schema): boolean => type === "integer" || type === "boolean";

eachDialect((dialect) => {
  let forge: TestForge;
  let browser: Browser;
  let routes: readonly Route[];

  beforeAll(async () => {
    forge = await startForge({ dialect });
    const { admin } = forge;
    await forge.createUser("alice");
    await admin.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    await admin.post("/repos/chief/demo/issues", { title: "One" }).expect(201);
    await admin.post("/repos/chief/demo/milestones", { title: "One" }).expect(201);
    await admin.post("/orgs", { username: "guild" }).expect(201);
    await admin.post("/orgs/guild/teams", { name: "readers", permission: "read", units: ["repo.code"] }).expect(201);
    browser = createBrowser(forge.url);
    await browser.signIn(admin);
    routes = forge.forge.routes.filter(({ isPage, body }) => isPage && body !== undefined);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
  });

  test("every string, list and map of a form declares its limit", () => {
    const fields = routes.flatMap((route) => fieldsOf(route).map(([name, field]) => ({ id: `${route.id} ${name}`, field })));
    const inner = fields.flatMap(({ id, field }) => [field.items, field.additionalProperties].flatMap((one) => (one ? { id, field: one } : [])));
    const unlimited = [...fields, ...inner].filter(({ field }) => !isBounded(field) && limitOf(field) === undefined);
    expect(unlimited.map(({ id }) => id)).toEqual([]);
    expect(fields.length).toBeGreaterThan(200);
  });

  test("a string longer than its limit is rejected with the name of its field", () => {
    const texts = routes.flatMap((route) => fieldsOf(route).flatMap(([name, field]) => (field.type === "string" ? [{ route, name, field }] : [])));
    for (const { route, name, field } of texts) {
      const { maxLength = 0 } = field;
      if (maxLength > 2_000_000 || route.body === undefined) continue;
      const { body } = route;
      const choices = Object.fromEntries(fieldsOf(route).flatMap(([other, { enum: values }]) => (values === undefined ? [] : [[other, values[0]]])));
      expect(() => decodeBody(body, { ...choices, [name]: "x".repeat(maxLength + 1) }, true), `${route.id} ${name}`).toThrow(name);
    }
  });

  test("a form with a string longer than its limit is rejected", async () => {
    const page = await browser.get("/chief/demo/milestones/new");
    const [action = ""] = /action="([^"]*milestones[^"]*)"/.exec(page.text)?.slice(1) ?? [];
    const answer = await browser.post(action, { ...page.form(action), title: "t".repeat(256) });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/too long|at most/i);
  });

  /** The text inputs of the forms on all pages with a fixed address below the samples. */
  async function findInputs(): Promise<readonly Input[]> {
    const samples: Readonly<Record<string, string>> = {
      owner: "chief",
      repo: "demo",
      org: "guild",
      username: "chief",
      user: "alice",
      index: "1",
      team: "readers",
    };
    const addresses = forge.forge.routes
      .filter(({ isPage, method }) => isPage && method === "GET")
      .map(({ path }) => path.replace(/\{(\w+)[+*]?\}/g, (whole, name: string) => samples[name] ?? whole));
    const inputs: Input[] = [];
    for (const path of [...addresses, "/chief/demo/milestones/1/edit"].filter((one) => !one.includes("{"))) {
      const page = await browser.get(path);
      if (page.status !== 200) continue;
      for (const [, action = "", form = ""] of page.text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)) {
        const route = routes.find((one) =>
          new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+").replace(/\{\w+[+*]\}/g, ".+")}$`).test(action.split("?")[0] ?? ""),
        );
        const fields = new Map(route === undefined ? [] : fieldsOf(route));
        for (const [input] of form.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
          const type = /\btype="(\w+)"/.exec(input)?.[1] ?? "text";
          const name = /\bname="([^"]+)"/.exec(input)?.[1] ?? "";
          const field = fields.get(name);
          if (field?.type !== "string" || !["text", "password", "email", "url"].includes(type)) continue;
          const maxLength = Number(/\bmaxlength="(\d+)"/i.exec(input)?.[1]);
          inputs.push({
            path,
            page,
            action,
            name,
            maxLength,
            limit: field.maxLength,
            hasLines: input.startsWith("<textarea"),
            isRequired: / required\b/.test(input),
          });
        }
      }
    }
    return inputs;
  }

  test("the inputs of forms have the limits of the request", async () => {
    const inputs = await findInputs();
    const different = inputs.filter(({ maxLength, limit }) => maxLength !== limit);
    expect(different.map(({ path, name, maxLength, limit }) => `${path} ${name}: ${maxLength} on the page, ${limit} in the request`)).toEqual([]);
    expect(inputs.length).toBeGreaterThan(60);
  });

  test("no service rejects a string that fits into its input", { timeout: 120_000 }, async () => {
    const tooLong: string[] = [];
    const inputs = await findInputs();
    for (const { path, page, action, name, maxLength, hasLines } of inputs) {
      const others = inputs.filter((one) => one.page === page && one.action === action && one.isRequired && page.form(action)[one.name] === "");
      // With line breaks as browsers send them. An entry of a list may have fewer characters than the list.
      const value = hasLines
        ? `${"x".repeat(99)}\n`
            .repeat(maxLength / 100)
            .padEnd(maxLength, "x")
            .replaceAll("\n", "\r\n")
        : (maxLength > 10_000 ? "x" : "\u4e00").repeat(maxLength);
      const { status, text } = await browser.submit(page, action, { ...Object.fromEntries(others.map((one) => [one.name, "sample"])), [name]: value });
      const [message] = /Enter (?:a password of )?at most [\d,]+ characters|at most [\d,]+ (?:characters|bytes)/.exec(text) ?? [];
      if (status >= 500 || (status >= 400 && message !== undefined)) tooLong.push(`${path} ${action} ${name} with ${maxLength}: ${status} ${message}`);
    }
    expect(tooLong).toEqual([]);
  });
});

interface Input {
  readonly path: string;
  readonly page: BrowserAnswer;
  readonly action: string;
  readonly name: string;
  /** The limits of the input and of the request. */
  readonly maxLength: number;
  readonly limit: number | undefined;
  readonly hasLines: boolean;
  readonly isRequired: boolean;
}
