import { request } from "node:http";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type ApiAnswer, createApiClient } from "./api-client.ts";
import type { TestDialect } from "./databases.ts";
import { startForge, type TestForge, type TestUser } from "./forge.ts";
import { createGitUser, type GitUser } from "./git-user.ts";
import { expectNothingOutside } from "./outside.ts";
import { timeless } from "./page.ts";

/** Part of all private data of alice. Another user who sees it has broken in. */
export const canary = "CANARY-7f3a";

/**
 * A forge with a victim and an attacker: alice has a public and a hidden repository, bob can write to the public one, mallory has no
 * permissions.
 */
export interface Attack {
  readonly forge: TestForge;
  readonly work: GitUser;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly mallory: TestUser;
  /** The commit of `alice/open`. */
  readonly openTip: string;
  /** The commit of `alice/secret`. */
  readonly secretTip: string;
  /** A request of the attacker or an anonymous caller. Checks that the response is not an internal error and contains no secret. */
  probe(
    path: string,
    options?: { as?: TestUser | undefined; method?: string; body?: unknown; headers?: Readonly<Record<string, string>> },
  ): Promise<ApiAnswer<unknown>>;
  /** Sends a request with a literal, unnormalized path. @returns status and body, without parts that differ between requests */
  raw(path: string, headers?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly text: string }>;
}

/**
 * Starts the forge for the tests of a file. After each test, checks that the log has no internal error, that the attacker created no file
 * on the machine, and that the server still answers.
 */
export function underAttack(dialect: TestDialect): () => Attack {
  let attack: Attack | undefined;
  const now = (): Attack => {
    if (attack === undefined) throw new Error("the forge is not started");
    return attack;
  };
  beforeAll(async () => {
    const work = await createGitUser();
    const forge = await startForge({ dialect });
    const [alice, bob, mallory] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("mallory")];
    await alice.post("/user/repos", { name: "open" }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, description: canary }).expect(201);
    await alice.put("/repos/alice/open/collaborators/bob", { permission: "write" }).expect(204);
    await work.init("open");
    const openTip = await work.commit("open", { "a.txt": "one\n" });
    await work.git("open", "push", "-q", `${alice.gitOrigin}/alice/open`, "main");
    await work.init("secret");
    await work.git("secret", "config", "user.email", `${canary}@example.com`);
    const secretTip = await work.commit("secret", { "a.txt": `${canary}\n`, [`${canary}.txt`]: "x" }, `${canary} is why`);
    await work.git("secret", "tag", "-a", "-m", canary, canary);
    await work.git("secret", "push", "-q", `${alice.gitOrigin}/alice/secret`, "main", canary, `main:refs/heads/${canary}`);
    await forge.settled();
    attack = {
      forge,
      work,
      alice,
      bob,
      mallory,
      openTip,
      secretTip,
      async probe(path, { as = mallory, method = "GET", body, headers = {} } = {}) {
        const client = createApiClient(forge.url, `token ${as.token}`);
        const send = { GET: client.get, POST: client.post, PUT: client.put, PATCH: client.patch, DELETE: client.delete }[method];
        if (send === undefined) throw new Error(`no method ${method}`);
        const answer = await (method === "GET" ? client.get(path, headers) : (send as typeof client.post)(path, body, headers));
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500);
        expect(`${JSON.stringify([...answer.headers])} ${answer.text}`).not.toContain(canary);
        return answer;
      },
      raw: (path, headers = {}) =>
        new Promise((resolve, reject) => {
          const { hostname, port } = new URL(forge.url);
          const sent = request({ hostname, port, path, headers }, (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (chunk: string) => {
              text += chunk;
            });
            response.once("end", () => resolve({ status: response.statusCode ?? 0, text: timeless(text) }));
          });
          sent.once("error", reject).end();
        }),
    };
  });
  afterEach(async () => {
    const { forge } = now();
    expect(forge.log.filter(({ level }) => level === "error")).toEqual([]);
    expectNothingOutside();
    await forge.anonymous.get("/repos/alice/open").expect(200);
  });
  afterAll(async () => {
    await attack?.forge[Symbol.asyncDispose]();
    await attack?.work[Symbol.asyncDispose]();
  });
  return now;
}
