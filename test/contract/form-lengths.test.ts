import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeBody } from "../../src/http/decode-body.ts";
import type { Route } from "../../src/http/route.ts";
import { asSchema, type Schema } from "../../src/wire/schema.ts";
import { type Browser, createBrowser } from "../kit/browser.ts";
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
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
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
      expect(() => decodeBody(body, { [name]: "x".repeat(maxLength + 1) }, true), `${route.id} ${name}`).toThrow(name);
    }
  });

  test("a form with a string longer than its limit is rejected", async () => {
    const page = await browser.get("/alice/demo/milestones/new");
    const [action = ""] = /action="([^"]*milestones[^"]*)"/.exec(page.text)?.slice(1) ?? [];
    const answer = await browser.post(action, { ...page.form(action), title: "t".repeat(1_001) });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/too long|at most/i);
  });

  test("the inputs of forms have the limits of the request", async () => {
    let compared = 0;
    for (const path of ["/alice/demo/issues/new", "/alice/demo/milestones/new", "/alice/demo/settings", "/user/settings", "/repo/create"]) {
      const { text } = await browser.get(path);
      for (const [, action = "", form = ""] of text.matchAll(/<form[^>]*action="([^"?]*)[^"]*"[^>]*>(.*?)<\/form>/gs)) {
        const route = routes.find((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+").replace(/\{\w+[+*]\}/g, ".+")}$`).test(action));
        const fields = new Map(route === undefined ? [] : fieldsOf(route));
        for (const [input] of form.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
          const type = /\btype="(\w+)"/.exec(input)?.[1] ?? "text";
          const name = /\bname="([^"]+)"/.exec(input)?.[1] ?? "";
          const field = fields.get(name);
          if (field?.type !== "string" || !["text", "password", "email", "url"].includes(type)) continue;
          expect([path, name, Number(/\bmaxlength="(\d+)"/i.exec(input)?.[1])]).toEqual([path, name, field.maxLength]);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(12);
  });
});
