import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"));

describe("the server's description of itself", () => {
  let forge: TestForge;
  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite, environment: { HEARTH_METRICS: "true", HEARTH_METRICS_TOKEN: "scrape me" } });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("version equals the contract's in comparisons and names the product", async () => {
    expect(await forge.anonymous.get("/version").expect(200)).toEqual({ version: `1.26.2+hearth-${version}` });
  });

  test("API responses have the contract's headers and no others", async () => {
    const { headers } = await forge.anonymous.get("/version");
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "max-age=0, private, must-revalidate, no-transform",
      "content-type": "application/json;charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    for (const name of ["set-cookie", "access-control-allow-origin", "x-powered-by", "www-authenticate"]) expect(headers.has(name)).toBe(false);
  });

  test("unknown paths, other methods and trailing slashes", async () => {
    const unknown = await forge.anonymous.get("/nosuch");
    expect([unknown.status, unknown.text, unknown.headers.get("content-type")]).toEqual([404, "404 page not found\n", "text/plain; charset=utf-8"]);
    const wrong = await forge.anonymous.post("/version");
    expect([wrong.status, wrong.text, wrong.headers.get("allow")]).toEqual([405, "", "GET"]);
    await forge.anonymous.get("/version/").expect(200);
    expect((await fetch(`${forge.url}/api/v1/version`, { method: "HEAD" })).status).toBe(405);
  });

  test("settings contain the effective limits", async () => {
    expect(await forge.anonymous.get("/settings/api").expect(200)).toEqual({
      max_response_items: 50,
      default_paging_num: 30,
      default_git_trees_per_page: 1_000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    });
    for (const name of ["ui", "attachment", "repository"]) await forge.anonymous.get(`/settings/${name}`).expect(200);
  });

  test("the API description, its page and its previous address", async () => {
    const description = await forge.anonymous.get("//swagger.v1.json");
    expect(description.json).toMatchObject({ swagger: "2.0", basePath: "/api/v1", info: { version: "1.1.1" } });
    const page = await forge.anonymous.get("//api/swagger");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.text).toContain("/repos/{owner}/{repo}");
    const former = await forge.anonymous.get("/swagger");
    expect([former.status, former.headers.get("location")]).toEqual([303, "/api/swagger"]);
  });

  test("health names each required component and leaves no file behind", async () => {
    const health = await forge.anonymous.get("//api/healthz").expect(200);
    expect(health.status).not.toBe("fail");
    expect(Object.keys(health.checks)).toEqual(["database:ping", "database:write", "storage:write"]);
    expect(readdirSync(forge.dataDirectory).filter((name) => name.startsWith("health"))).toEqual([]);
  });

  test("a server that is about to stop is alive but not ready, and says so", async () => {
    const ready = await forge.anonymous.get("//api/readyz").expect(200);
    expect(ready.checks).toMatchObject({ "database:ping": [{ status: "pass" }], "server:draining": [{ status: "pass" }] });
    await using stopping = await startForge({ dialect: sqlite });
    stopping.forge.drain();
    const late = await stopping.anonymous.get("//api/readyz").expect(503);
    expect(late.checks["server:draining"]).toMatchObject([{ status: "fail", output: "the server is about to stop" }]);
    await stopping.anonymous.get("//api/healthz").expect(200);
    await stopping.anonymous.get("/version").expect(200);
  });

  test("metrics require their token and count requests, statements and processes", async () => {
    expect((await forge.anonymous.get("//metrics")).status).toBe(401);
    const { text } = await forge.anonymous.get("//metrics", { authorization: "Bearer scrape me" });
    for (const name of [
      "hearth_http_request_duration_seconds_bucket",
      "hearth_db_statements_total",
      "hearth_git_processes_total",
      "process_resident_memory_bytes",
    ]) {
      expect(text).toContain(name);
    }
  });

  test("node information is found through its well-known address", async () => {
    expect((await forge.anonymous.get("/nodeinfo")).status).toBe(404);
    const { links } = await forge.anonymous.get("//.well-known/nodeinfo").expect(200);
    expect(await (await fetch(links[0].href)).json()).toMatchObject({ version: "2.1", software: { name: "hearth", version }, usage: { users: { total: 1 } } });
  });
});

test("metrics are off by default", async () => {
  await using forge = await startForge({ dialect: sqlite });
  expect((await forge.anonymous.get("//metrics")).status).toBe(404);
});

test("an instance that requires sign-in shows nothing to visitors", async () => {
  await using forge = await startForge({ dialect: sqlite, environment: { HEARTH_SERVER_SIGN_IN_REQUIRED: "true" } });
  expect(await forge.anonymous.get("/version").expect(403)).toEqual({ message: "Only signed in user is allowed to call APIs." });
  await forge.admin.get("/version").expect(200);
  await forge.admin.post("/user/repos", { name: "open", auto_init: true }).expect(201);
  for (const path of ["//chief/open/info/refs?service=git-upload-pack", "//chief/open/raw/branch/main/README.md", "//chief/open/archive/main.zip"]) {
    const refused = await forge.anonymous.get(path);
    expect([path, refused.status, refused.headers.get("www-authenticate")]).toEqual([path, 401, 'Basic realm="Hearth", charset="UTF-8"']);
    await forge.admin.get(path).then(({ status }) => expect([path, status]).toEqual([path, 200]));
  }
  for (const path of ["//swagger.v1.json", "//api/healthz"]) expect((await forge.anonymous.get(path)).status).toBe(200);
});
