import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openGitClient } from "../../bench/git-client.ts";
import { openClient } from "../../bench/http-client.ts";
import { historyFile, openLargeRepository } from "../../bench/scale/large-repository.ts";
import { encodePkt, flushPkt } from "../../src/git/send/pkt-line.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";

/** Hundreds of clients that request pages of a repository that no client has requested before. */

const commits = 1_200;
let folder: string;
let forge: TestForge;
let tip: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-herd-"));
  const git = openGitClient(folder);
  const shape = { commits, files: 300, filesPerDirectory: 20, bigEntries: 100, revisions: 100, branches: 20, tags: 20, changedFiles: 10 };
  const path = await openLargeRepository(git, "herd", shape);
  tip = await git.run(["-C", path, "rev-parse", "main"]);
  forge = await startForge({ dialect: sqlite });
  await forge.admin.post("/user/repos", { name: "herd", default_branch: "main" }).expect(201);
  await git.run(["-C", path, "push", "-q", `${forge.admin.gitOrigin}/${forge.admin.name}/herd.git`, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"]);
  await forge.settled();
}, 300_000);

afterAll(async () => {
  await forge?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("400 concurrent requests for cold pages of one repository are answered with few processes", async () => {
  const at = `/${forge.admin.name}/herd`;
  const api = `/api/v1/repos${at}`;
  const clone = Buffer.concat([encodePkt(`want ${tip} no-progress ofs-delta\n`), flushPkt, encodePkt("done\n")]);
  const requests: readonly (readonly [path: string, body?: Buffer, contentType?: string])[] = [
    [`${api}/commits?limit=50`],
    [`${api}/commits?limit=50&page=20`],
    [`${api}/commits?limit=50&path=${historyFile}`],
    [`${api}/contents`],
    [`${api}/raw/${historyFile}`],
    [`${api}/archive/main.zip`],
    [`${api}/compare/main~40...main`],
    [at],
    [`${at}/blame/branch/main/${historyFile}`],
    [`${at}/commit/${tip}`],
    [`${at}/graph`],
    [`${at}/search?q=changed`],
    [`${at}.git/git-upload-pack`, clone, "application/x-git-upload-pack-request"],
  ];
  const clients = 31;
  const http = openClient(forge.url, forge.admin.token);
  const statuses: Record<number, number> = {};
  const { processes } = await forge.cost(() =>
    Promise.all(
      Array.from({ length: clients }, () => requests)
        .flat()
        .map(async ([path, body, contentType]) => {
          const { status } = await http.send(body === undefined ? "GET" : "POST", path, body, contentType);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }),
    ),
  );
  http.close();
  expect(statuses).toEqual({ 200: clients * requests.length });
  // A client alone needs about one process for each request, some of which need none.
  expect(processes).toBeLessThanOrEqual(2 * requests.length);
}, 120_000);

test("300 concurrent requests for different cold pages wait for their turn, and none is refused", async () => {
  const http = openClient(forge.url, forge.admin.token);
  const { runner } = forge.context.git.shared;
  let most = 0;
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => {
      const { status } = await http.send("GET", `/api/v1/repos/${forge.admin.name}/herd/commits?limit=1&page=${at + 550}&stat=false&files=false`);
      most = Math.max(most, runner.counters.running);
      return status;
    }),
  );
  http.close();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(most).toBeLessThanOrEqual(4 * availableParallelism() + 16);
}, 120_000);
