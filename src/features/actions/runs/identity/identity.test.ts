import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { registerRunner } from "../../../../../test/kit/runner.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";
import { testWithToolkit } from "../../../../../test/kit/toolkit.ts";
import { identityJwks, rotateIdentityKeys, signIdentity } from "./service/keys.ts";
import { mayIdentify } from "./service/request-token.ts";

const dayMs = 86_400_000;

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice"]);
  const { alice } = users;

  describe("identity tokens of jobs", () => {
    testWithToolkit("a job that declares id-token gets tokens that other services verify, as long as it runs; other jobs and forks do not", async () => {
      await alice.post("/user/repos", { name: "r", auto_init: true, default_branch: "main" }).expect(201);
      await alice.patch("/repos/alice/r", { has_actions: true }).expect(200);
      const { token } = await alice.post("/repos/alice/r/actions/runners/registration-token", {}).expect(200);
      const runner = await registerRunner(forge.url, token);
      const text = `on: push
jobs:
  a: {runs-on: linux, permissions: {id-token: write}, steps: [{run: 'node "$TOOLKIT" identify my-cloud -- identify'}]}
  b: {runs-on: linux, permissions: {contents: read}, steps: [{run: 'true'}]}
`;
      const made = await alice
        .post("/repos/alice/r/contents/.gitea/workflows/w.yml", { content: Buffer.from(text).toString("base64"), message: "add" })
        .expect(201);
      await forge.settled();
      const task = await runner.runOne();
      const plain = await runner.runOne();
      expect(plain.context?.actions_id_token_request_url).toBeUndefined();
      const parts = await forge.context.db.sql.selectFrom("action_log_parts").select("content").where("task_id", "=", Number(task.id)).execute();
      const sent = [
        ...parts
          .map(({ content }) => content)
          .join("")
          .matchAll(/identity ([\w-]+) ([\w-]+) ([\w-]+)/g),
      ].map(([, ...found]) => found.join("."));
      expect(sent).toHaveLength(2);

      const issuer = `${forge.url}/api/actions/oidc`;
      const configuration = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
        readonly issuer: string;
        readonly jwks_uri: string;
      };
      expect(configuration.issuer).toBe(issuer);
      const keys = createRemoteJWKSet(new URL(configuration.jwks_uri));
      const { payload } = await jwtVerify(sent[0] ?? "", keys, { issuer, audience: "my-cloud", subject: "repo:alice/r:ref:refs/heads/main" });
      expect(payload).toMatchObject({
        repository: "alice/r",
        repository_visibility: "public",
        actor: "alice",
        event_name: "push",
        ref: "refs/heads/main",
        sha: made.commit.sha,
        run_number: "1",
        workflow_ref: "alice/r/.gitea/workflows/w.yml@refs/heads/main",
      });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
      await jwtVerify(sent[1] ?? "", keys, { issuer, audience: `${forge.url}/alice` });

      const ask = async (bearer: unknown) =>
        (await fetch(String(task.context?.actions_id_token_request_url), { headers: { authorization: `Bearer ${bearer}` } })).status;
      expect([await ask(task.context?.actions_id_token_request_token), await ask(task.context?.gitea_runtime_token), await ask("a.b.c")]).toEqual([
        401, 401, 401,
      ]);
      expect(mayIdentify({ all: "write" }, { isFromFork: true })).toBe(false);
      expect([
        mayIdentify({ all: "write" }, { isFromFork: false }),
        mayIdentify(null, { isFromFork: false }),
        mayIdentify({ all: "read" }, { isFromFork: false }),
      ]).toEqual([true, false, false]);
    });

    test("a new key is published before it signs, and the former one is removed afterwards", async () => {
      const { db, sealer, clock } = forge.context;
      const startMs = clock.now();
      const at = (days: number) => ({ db, sealer, clock: { now: () => startMs + days * dayMs } });
      const ids = async () => (await identityJwks(at(0))).keys.map(({ kid }) => kid);
      const signer = async (days: number) =>
        JSON.parse(Buffer.from((await signIdentity(at(days), {})).split(".")[0] ?? "", "base64url").toString()).kid as string;
      const [first] = await ids();
      await rotateIdentityKeys(at(89));
      expect(await ids()).toEqual([first]);
      await rotateIdentityKeys(at(91));
      const [, second] = await ids();
      expect(second).toBeDefined();
      expect([await signer(91), await signer(92), await signer(94)]).toEqual([first, first, second]);
      await rotateIdentityKeys(at(92));
      expect(await ids()).toEqual([first, second]);
      await rotateIdentityKeys(at(94));
      expect(await ids()).toEqual([second]);
      const { value } = await db.sql.selectFrom("server_values").select("value").where("name", "=", "actions.identity_keys").executeTakeFirstOrThrow();
      expect(value).not.toContain("PRIVATE");
    });
  });
});
