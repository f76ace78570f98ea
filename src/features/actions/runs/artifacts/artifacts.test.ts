import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { registerRunner, type TestRunner } from "../../../../../test/kit/runner.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";
import { testWithToolkit } from "../../../../../test/kit/toolkit.ts";
import { Result } from "../../../../wire/actions-protocol/runner.ts";
import { sweepFiles } from "../../../site/blobs/service/upkeep.ts";
import { expireArtifacts, expireLogs } from "./service/artifacts.ts";

const dayMs = 86_400_000;
const service = "/twirp/github.actions.results.api.v1.ArtifactService";

const workflow = `name: CI
on: push
jobs:
  build:
    runs-on: linux
    steps:
      - run: |
          head -c 20000000 /dev/urandom > big; echo small > small.txt
          echo "made $(sha256sum big | cut -d' ' -f1)"
          node "$TOOLKIT" upload bundle big small.txt -- single small.txt -- upload unwanted small.txt -- delete unwanted -- list
  use:
    runs-on: linux
    needs: build
    steps:
      - run: node "$TOOLKIT" download bundle big -- download small.txt small.txt
`;

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect, environment: { HEARTH_ACTIONS_ARTIFACT_MAX_BYTES: "25000000" } }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  async function repository(text: string): Promise<{ readonly name: string; readonly path: string; readonly runner: TestRunner }> {
    number += 1;
    const name = `r${number}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(`/repos/alice/${name}`, { has_actions: true }).expect(200);
    const path = `/repos/alice/${name}`;
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: Buffer.from(text).toString("base64"), message: "add" }).expect(201);
    await forge.settled();
    return { name, path, runner };
  }

  const logsOf = async (name: string): Promise<string> =>
    (
      await forge.context.db.sql
        .selectFrom("action_log_parts as p")
        .innerJoin("action_tasks as t", "t.id", "p.task_id")
        .innerJoin("repositories as r", "r.id", "t.repo_id")
        .select("p.content")
        .where("r.name", "=", name)
        .orderBy("p.task_id")
        .orderBy("p.first_row")
        .execute()
    )
      .map(({ content }) => content)
      .join("\n");
  const filesBytes = async (name: string): Promise<number> =>
    (await forge.context.db.sql.selectFrom("repositories").select("files_bytes").where("name", "=", name).executeTakeFirstOrThrow()).files_bytes;
  const at = (ms: number) => ({ ...forge.context, clock: { now: () => forge.context.clock.now() + ms } });

  describe("artifacts", () => {
    testWithToolkit(
      "the official toolkit uploads, lists, deletes and downloads artifacts, which users find on the page and in the API until they expire",
      async () => {
        const { name, path, runner } = await repository(workflow);
        const first = await runner.runOne();
        await forge.settled();
        await runner.runOne();
        const log = await logsOf(name);
        const [, made = ""] = /made (\w{64})/.exec(log) ?? [];
        const [, , digest = ""] = /uploaded bundle (\d+) (\w{64})/.exec(log) ?? [];
        expect(log).toContain("listed bundle small.txt");
        expect(log).toContain(`downloaded bundle false ${made}`);
        expect(log).toContain(`downloaded small.txt false ${createHash("sha256").update("small\n").digest("hex")}`);

        const { artifacts, total_count: total } = await alice.get(`${path}/actions/artifacts?name=bundle`).expect(200);
        expect(total).toBe(1);
        const [{ id, archive_download_url: archive, size_in_bytes: size, expires_at: expires, expired }] = artifacts;
        expect([expired, Math.round((Date.parse(expires) - Date.now()) / dayMs)]).toEqual([false, 5]);
        expect(await alice.get(`${path}/actions/runs/${artifacts[0].workflow_run.id}/artifacts`).expect(200)).toMatchObject({ total_count: 2 });
        expect(await alice.get(`${path}/actions/artifacts/${id}`).expect(200)).toMatchObject({ id, name: "bundle" });
        const download = await fetch(archive);
        const bytes = Buffer.from(await download.arrayBuffer());
        expect([download.status, download.headers.get("content-disposition"), bytes.length]).toEqual([200, "attachment; filename=bundle.zip", size]);
        expect(createHash("sha256").update(bytes).digest("hex")).toBe(digest);
        // The id of an artifact of another repository is unknown, and an address without a signature leads nowhere.
        const elsewhere = await repository(workflow);
        await alice.get(`${elsewhere.path}/actions/artifacts/${id}/zip`).expect(404);
        await alice.get(`${path}/actions/artifacts/${id}/zip/raw`).expect(401);
        const page = await (await fetch(`${forge.url}/alice/${name}/actions/runs/1`)).text();
        expect(page).toContain(digest);
        const range = await fetch(`${forge.url}/alice/${name}/actions/runs/1/artifacts/bundle`, { headers: { range: "bytes=0-3" } });
        expect([range.status, await range.text()]).toEqual([206, "PK\u0003\u0004"]);

        // A job that has ended uses nothing any more.
        const late = await fetch(`${forge.url}${service}/ListArtifacts`, {
          method: "POST",
          headers: { authorization: `Bearer ${first.context?.gitea_runtime_token}`, "content-type": "application/json" },
          body: "{}",
        });
        expect(late.status).toBe(401);

        // Readers may not delete, and private repositories show nothing to others.
        await bob.delete(`${path}/actions/artifacts/${id}`).expect(403);
        await alice.patch(path, { private: true }).expect(200);
        for (const url of [`${forge.url}/api/v1${path}/actions/artifacts/${id}`, archive, `${forge.url}/alice/${name}/actions/runs/1/artifacts/bundle`])
          expect((await fetch(url)).status).toBe(404);

        expect(await filesBytes(name)).toBe(size + 6);
        expect(await expireArtifacts(at(4 * dayMs))).toBe(0);
        // The other one is kept as long as the server allows.
        expect([await expireArtifacts(at(6 * dayMs)), await expireArtifacts(at(89 * dayMs)), await expireArtifacts(at(91 * dayMs))]).toEqual([1, 0, 1]);
        await alice.get(`${path}/actions/artifacts/${id}`).expect(404);
        expect(await filesBytes(name)).toBe(0);
        expect(await forge.context.db.sql.selectFrom("stored_files").select("file").execute()).toEqual([]);
        expect(await sweepFiles(at(2 * dayMs))).toBe(0);

        expect([await expireLogs(at(364 * dayMs)), await expireLogs(at(366 * dayMs)), await logsOf(name)]).toEqual([0, 2, ""]);
      },
    );

    test("a running job sends files to its own run only, through signed addresses, in bounds, and once", async () => {
      const { name, path, runner } = await repository("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const task = await runner.fetch();
      const [run] = (await alice.get(`${path}/actions/runs`).expect(200)).workflow_runs;
      const call = async (method: string, fields: object, token = String(task?.context?.gitea_runtime_token)) => {
        const response = await fetch(`${forge.url}${service}/${method}`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ workflow_run_backend_id: String(run.id), ...fields }),
        });
        return { status: response.status, body: (await response.json()) as Record<string, string> };
      };
      const put = async (url: string, body: string | Uint8Array<ArrayBuffer>) => (await fetch(url, { method: "PUT", body })).status;
      expect((await call("ListArtifacts", {}, "a.b.c")).status).toBe(401);
      expect((await call("ListArtifacts", { workflow_run_backend_id: "999" })).status).toBe(400);
      for (const bad of ["", "..", "a/b", "a\\b", "x\n", "n".repeat(300)]) expect((await call("CreateArtifact", { name: bad })).status).toBe(400);
      const { body: made } = await call("CreateArtifact", { workflowRunBackendId: "ignored", name: "a" });
      const url = made.signedUploadUrl ?? "";
      expect(await put(url.replace(/sig=s1\.../, "sig=s1.xx"), "x")).toBe(401);
      expect(await put(`${url}&comp=block&blockid=b2`, "world")).toBe(201);
      expect(await put(`${url}&comp=block&blockid=b1`, "HELLO ")).toBe(201);
      expect(await put(`${url}&comp=block&blockid=b1`, "hello ")).toBe(201);
      expect(await put(`${url}&comp=block&blockid=b3`, new Uint8Array(26_000_000))).toBe(413);
      expect(await put(`${url}&comp=blocklist`, "<BlockList><Latest>b9</Latest></BlockList>")).toBe(400);
      expect((await call("FinalizeArtifact", { name: "a", size: "11" })).status).toBe(404);
      expect(await put(`${url}&comp=blocklist`, "<BlockList><Latest>b1</Latest><Latest>b2</Latest></BlockList>")).toBe(201);
      expect(await put(`${url}&comp=block&blockid=b4`, "more")).toBe(400);
      expect((await call("FinalizeArtifact", { name: "a", size: "12" })).status).toBe(400);
      expect((await call("FinalizeArtifact", { name: "a", size: "11", hash: `sha256:${"0".repeat(64)}` })).status).toBe(400);
      expect((await call("FinalizeArtifact", { name: "a", size: "11" })).status).toBe(200);
      expect((await call("CreateArtifact", { name: "a" })).status).toBe(409);
      const { body: signed } = await call("GetSignedArtifactURL", { name: "a" });
      expect(await (await fetch(signed.signedUrl ?? "")).text()).toBe("hello world");
      expect(await forge.context.db.sql.selectFrom("action_upload_blocks").select("file").execute()).toEqual([]);

      // The next attempt replaces the artifact, here with appended blocks.
      await runner.report(task?.id ?? 0n, Result.SUCCESS);
      await forge.settled();
      await alice.post(`${path}/actions/runs/${run.id}/rerun`, {}).expect(201);
      const again = await runner.fetch();
      const next = String(again?.context?.gitea_runtime_token);
      const { body: second } = await call("CreateArtifact", { name: "a" }, next);
      for (const part of ["sec", "ond"]) expect(await put(`${second.signedUploadUrl}&comp=appendBlock`, part)).toBe(201);
      expect((await call("FinalizeArtifact", { name: "a" }, next)).status).toBe(200);
      expect(await filesBytes(name)).toBe(6);
      const unfinished = await call("CreateArtifact", { name: "b" }, next);
      expect(await put(`${unfinished.body.signedUploadUrl}&comp=block&blockid=b1`, "left")).toBe(201);
      await expireArtifacts(at(2 * dayMs));
      expect(await forge.context.db.sql.selectFrom("action_uploads").select("id").execute()).toEqual([]);
      await runner.report(again?.id ?? 0n, Result.SUCCESS);
      await forge.settled();
      await alice.delete(`${path}/actions/runs/${run.id}`).expect(204);
      expect(await filesBytes(name)).toBe(0);
    });
  });
});
