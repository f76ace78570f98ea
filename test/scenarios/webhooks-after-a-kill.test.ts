import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { eachDialect, type TestDatabase } from "../kit/databases.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { type Received, type Receiver, startReceiver } from "../kit/receiver.ts";

/**
 * The real program is killed while issues are created and their webhooks delivered. Every committed event is delivered at least once, each
 * time with the same body, id and number. Nothing is delivered that was not committed.
 */

const token = "a7".repeat(20);
const rounds = 4;
const issuesOfRound = 12;
/** Half of the lease of a job: a process that waits for the leases of its predecessor takes longer. */
const patienceMs = 30_000;

const clientOf = ({ url }: RunningProgram): ApiClient => createApiClient(url, `token ${token}`);
const titleOf = ({ body }: Received): string => JSON.parse(body).issue.title;

/** Creates issues until the program ends. @returns the acknowledged ones */
async function openUntilKilled(program: RunningProgram, round: number): Promise<readonly string[]> {
  const api = clientOf(program);
  const acknowledged: string[] = [];
  const killedAfter = 2 * round + 1;
  const open = async (at: number): Promise<void> => {
    const title = `round ${round} issue ${at}`;
    const answer = await api.post("/repos/chief/r/issues", { title }).catch(() => undefined);
    if (answer?.status === 201) acknowledged.push(title);
    if (acknowledged.length === killedAfter) await program.kill();
  };
  await Promise.all(Array.from({ length: issuesOfRound }, (_, at) => open(at)));
  await program.kill();
  return acknowledged;
}

eachDialect((dialect) => {
  let folder: string;
  let database: TestDatabase;
  let receiver: Receiver;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hearth-hooks-"));
    database = await dialect.create();
    receiver = await startReceiver();
    settings = {
      HEARTH_DATA: join(folder, "data"),
      HEARTH_DATABASE_URL: database.url,
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_PASSWORD: "a long pass phrase",
      HEARTH_ADMIN_TOKEN: token,
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
    };
  });
  afterAll(async () => {
    await receiver[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test("webhooks deliver every committed event at least once under one id, and no other event, soon after each restart", async () => {
    {
      await using program = await startProgram(settings);
      const api = clientOf(program);
      await api.post("/user/repos", { name: "r" }).expect(201);
      const config = { url: `${receiver.url}/hook`, content_type: "json" };
      await api.post("/repos/chief/r/hooks", { type: "gitea", config, events: ["issues"], active: true }).expect(201);
    }
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round += 1) acknowledged.push(...(await openUntilKilled(await startProgram(settings), round)));

    await using program = await startProgram(settings);
    const issues: readonly { title: string }[] = await clientOf(program).get("/repos/chief/r/issues?limit=50").expect(200);
    const committed = issues.map(({ title }) => title);
    expect(committed).toEqual(expect.arrayContaining(acknowledged));
    await expect.poll(() => [...new Set(receiver.at("/hook").map(titleOf))].sort(), { timeout: patienceMs }).toEqual(committed.toSorted());

    const deliveries = Map.groupBy(receiver.at("/hook"), titleOf);
    for (const [title, times] of deliveries) {
      const distinct = new Set(times.map(({ headers, body }) => `${headers["webhook-id"]} ${headers["x-hearth-sequence"]} ${body}`));
      expect(distinct.size, title).toBe(1);
    }
    const firsts = [...deliveries.values()].map(([first]) => Number(first?.headers["x-hearth-sequence"]));
    expect(firsts).toEqual(committed.map((_, at) => at + 1));
  }, 300_000);
});
