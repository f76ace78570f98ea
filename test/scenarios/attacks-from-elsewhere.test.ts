import { expect, test } from "vitest";
import { underAttack } from "../kit/attack.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { countEvents } from "../kit/events.ts";
import { inject } from "../kit/inject.ts";
import { registerApplication } from "../kit/oauth.ts";

/** Cross-site attacks on the browser of a signed-in user: following links, submitting forms, reading responses. */

/** Values of path parameters. */
const values: Readonly<Record<string, string>> = {
  owner: "alice",
  repo: "secret",
  username: "alice",
  user: "alice",
  org: "guild",
  target: "bob",
  collaborator: "bob",
};
const addressOf = ({ mount, path }: { readonly mount: string; readonly path: string }): string =>
  (mount === "api" ? "/api/v1" : "") + path.replace(/\{(\w+)[+*]?\}/g, (_whole, name: string) => values[name] ?? "1");

const evil = "https://evil.example";

eachDialect((dialect) => {
  const attack = underAttack(dialect);

  /** The rows that an action of a user would change, for comparison. */
  async function state(): Promise<string> {
    const { forge } = attack();
    await forge.settled();
    const { sql } = forge.context.db;
    const repositories = await sql.selectFrom("repositories").selectAll().orderBy("id").execute();
    const stars = await sql.selectFrom("stars").selectAll().execute();
    return JSON.stringify([await countEvents(forge), repositories, stars]);
  }

  test("GET requests have no effect, and every change needs another method", async () => {
    const { forge, alice } = attack();
    await alice.post("/orgs", { username: "guild" }).expect(201);
    await alice.post("/repos/alice/secret/issues", { title: "one" }).expect(201);
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const before = await state();
    const { routes } = forge.forge;
    const writes = routes.filter(({ method }) => !["GET", "HEAD"].includes(method));
    expect(writes.length).toBeGreaterThan(150);
    const reads = new Set(routes.filter(({ method }) => method === "GET").map(addressOf));
    // "registration-token" takes the place of an id there: administrators get 404, other users 403 before the id is read.
    const ofAdministrators = routes
      .filter(({ method, access }) => method === "GET" && access.kind === "site-admin")
      .map(({ mount, path }) => new RegExp(`^${addressOf({ mount, path: path.replace(/\{\w+\}/g, "[^/]+") })}$`));
    const wrong: string[] = [];
    for (const address of new Set([...writes.map(addressOf), ...reads])) {
      // Signing in elsewhere, signing out and consent have their own tests.
      if (address.startsWith("/user/oauth2/")) continue;
      const { status } = await browser.get(address);
      const isRefused = [404, 405, 422].includes(status) || (status === 403 && ofAdministrators.some((pattern) => pattern.test(address)));
      if (!reads.has(address) && !isRefused) wrong.push(`${status} GET ${address}`);
      if (status >= 500) wrong.push(`${status} GET ${address}`);
    }
    expect(wrong).toEqual([]);
    expect(await state()).toBe(before);
  });

  // The database has no part in the tests below.
  if (dialect.name !== "sqlite") return;

  test("rejects forms of another site with every content type", async () => {
    const { forge, alice } = attack();
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const before = await state();
    const writes = forge.forge.routes.filter(({ method }) => !["GET", "HEAD"].includes(method));
    const fields = { name: "taken", title: "taken", body: "taken", granted: "true", user_name: "mallory", password: "mallory's pass phrase" };
    const wrong: string[] = [];
    for (const { method, mount, path } of writes) {
      // Clients call these two with credentials in the body.
      if (/^\/login\/oauth\/(?:access_token|introspect)$/.test(path)) continue;
      for (const [type, body] of [
        ["application/x-www-form-urlencoded", new URLSearchParams(fields).toString()],
        ["text/plain", JSON.stringify(fields)],
        ["application/json", JSON.stringify(fields)],
      ] as const) {
        for (const from of [{ "sec-fetch-site": "cross-site", origin: evil }, { origin: "null" }] as const) {
          const { statusCode } = await inject(forge.forge.http, {
            method: method as "POST",
            url: addressOf({ mount, path }),
            headers: { cookie: browser.cookie, "content-type": type, ...from },
            payload: body,
          });
          // A ping of a runner reads no credentials and changes no row.
          if (statusCode === 200 && path === "/api/actions/ping.v1.PingService/Ping") continue;
          if (statusCode < 400 || statusCode >= 500) wrong.push(`${statusCode} ${method} ${path} as ${type}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(await state()).toBe(before);
    expect((await browser.get("/api/v1/user")).status).toBe(200);
  });

  test("no response can be read by another site, with or without credentials", async () => {
    const { forge, alice } = attack();
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const application = await registerApplication(alice);
    const shared: string[] = [];
    const addresses = [...new Set(forge.forge.routes.filter(({ method }) => method === "GET").map(addressOf))];
    for (const address of [...addresses, `/login/oauth/authorize?client_id=${application.clientId}`, "/nothing/at/all/here"]) {
      for (const origin of [evil, "null", `${forge.url}.evil.example`]) {
        for (const method of ["GET", "OPTIONS"] as const) {
          const headers = { origin, cookie: browser.cookie, "access-control-request-method": "DELETE", "access-control-request-headers": "authorization" };
          const answer = await inject(forge.forge.http, { method, url: address, headers });
          const allowed = Object.keys(answer.headers).filter((name) => /^access-control-allow-/.test(name));
          if (allowed.length > 0 || answer.statusCode >= 500) shared.push(`${method} ${address}: ${allowed.join()} ${answer.statusCode}`);
        }
      }
    }
    expect(shared).toEqual([]);
  });
});
