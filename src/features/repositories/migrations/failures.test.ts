import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { testCertificate, testKey } from "../../../../test/kit/certificate.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { type Remote, startRemote } from "../../../../test/kit/remote.ts";
import { encodePkt } from "../../../git/send/pkt-line.ts";
import type { MigrationInput } from "./migration-input.ts";
import { runMigration } from "./service/run.ts";
import { sealMigrationInput } from "./service/sealed-input.ts";
import { insertMigration } from "./store.ts";
import { english } from "./texts/english.ts";
import { german } from "./texts/german.ts";

/** Each reason of a failed migration, with the text that its page shows. */

const root = mkdtempSync(join(tmpdir(), "hearth-failing-"));
const addRepository = (name: string, contents: Buffer): void => {
  const client = createClient();
  try {
    client.commit({ "data.bin": contents.toString("latin1") });
    execFileSync("git", ["clone", "-q", "--mirror", client.path, join(root, name)]);
  } finally {
    client.remove();
  }
};
mkdirSync(join(root, "group"));
addRepository("group/demo.git", Buffer.from("demo\n"));
addRepository("demo.git", Buffer.from("demo\n"));
addRepository("half.git", Buffer.from(randomBytes(2_000).toString("hex")));
addRepository("large.git", Buffer.from(randomBytes(4_000).toString("hex")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const maxPushBytes = 3_000;
const ownerBytes = 6_000;

eachDialect((dialect) => {
  let forge: TestForge;
  let remote: Remote;
  let alice: TestUser;
  let browser: Browser;
  /** Answers requests to the remote in place of git. */
  let intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  let hold: Promise<void> = Promise.resolve();
  beforeAll(async () => {
    forge = await startForge({
      dialect,
      environment: {
        HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback",
        HEARTH_GIT_MAX_PUSH_BYTES: `${maxPushBytes}`,
        HEARTH_LIMITS_OWNER_BYTES: `${ownerBytes}`,
      },
    });
    remote = await startRemote({ root, intercept: (request, response) => intercept(request, response), hold: () => hold });
    alice = await forge.createUser("alice");
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
  });
  afterAll(async () => {
    await remote[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
  });

  const form = "/repo/migrate";
  const start = async (fields: Readonly<Record<string, string>>): Promise<string> => {
    const answer = await browser.submit(await browser.get(form), form, { name: "wanted", ...fields });
    expect(answer.location).toMatch(/^\/repo\/migrations\/\d+$/);
    return answer.location ?? "";
  };
  const pageOf = async (path: string, language: string): Promise<string> => readPage((await browser.get(path, { "accept-language": language })).text).text;
  const rowOf = (path: string) =>
    forge.context.db.sql
      .selectFrom("repo_migrations")
      .select(["state", "failure", "failure_values"])
      .where("id", "=", Number(path.split("/").at(-1)))
      .executeTakeFirstOrThrow();
  /** The row and both pages of a failed migration. */
  const expectFailure = async (path: string, code: keyof typeof english.failures, values: object = {}): Promise<void> => {
    await forge.settled();
    expect(await rowOf(path)).toEqual({ state: "failed", failure: code, failure_values: Object.keys(values).length === 0 ? "" : JSON.stringify(values) });
    for (const [language, texts] of [
      ["en", english],
      ["de", german],
    ] as const) {
      const text = texts.failures[code];
      expect(await pageOf(path, language)).toContain(`${texts.failure} ${typeof text === "string" ? text : (text as (given: object) => string)(values)}`);
    }
  };

  test.each([
    ["the host name is unknown", "http://nosuch.invalid/x.git", "unknown_host"],
    ["the port is closed", "http://127.0.0.1:1/x.git", "connection_refused"],
    ["the address is not allowed", "http://10.0.0.1/x.git", "blocked"],
  ] as const)("says that %s", async (_, clone_addr, code) => {
    await expectFailure(await start({ clone_addr }), code);
  });

  test("says that the certificate of the other server is not trusted", async () => {
    const server = createServer({ cert: testCertificate, key: testKey }, (_request, response) => void response.end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await expectFailure(await start({ clone_addr: `https://127.0.0.1:${(server.address() as AddressInfo).port}/x.git` }), "certificate");
    } finally {
      server.close();
    }
  });

  describe("answers of the other server", () => {
    const answers: readonly [string, keyof typeof english.failures, object, (response: ServerResponse) => unknown][] = [
      ["rejects the credentials", "authentication", {}, (response) => response.writeHead(401).end()],
      ["is no git server", "protocol", {}, (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>")],
      ["has an error", "status", { status: 500 }, (response) => response.writeHead(500).end()],
      [
        "refuses",
        "refused",
        {},
        (response) =>
          response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" }).end(encodePkt("ERR upload-pack: not our ref\n")),
      ],
    ];
    test.each(answers)("says that the server %s", async (_, code, values, answer) => {
      intercept = (_request, response) => {
        answer(response);
        return true;
      };
      try {
        await expectFailure(await start({ clone_addr: `${remote.url}/demo.git` }), code, values);
      } finally {
        intercept = () => false;
      }
    });

    test("says that there is no such repository", async () => {
      await expectFailure(await start({ clone_addr: `${remote.url}/nosuch.git` }), "not_found");
    });

    test("says that the address is not one of a server with that API", async () => {
      await expectFailure(await start({ clone_addr: `${remote.url}/demo.git`, service: "gitea" }), "api");
    });

    const apiAnswers: readonly [string, keyof typeof english.failures, (response: ServerResponse) => unknown][] = [
      ["has no such API", "api", (response) => response.writeHead(404).end()],
      ["does not answer with JSON", "api", (response) => response.writeHead(200).end("<h1>Hello</h1>")],
      ["asks for a pause of more than two hours", "rate_limit", (response) => response.writeHead(429, { "retry-after": "90000" }).end()],
      ["sends too much data", "too_many_items", (response) => response.writeHead(200).end(Buffer.alloc(9 * 1024 * 1024, " "))],
    ];
    test.each(apiAnswers)("says that the server %s", async (_, code, answer) => {
      intercept = (request, response) => {
        if (!request.url?.startsWith("/api/")) return false;
        answer(response);
        return true;
      };
      try {
        await expectFailure(await start({ clone_addr: `${remote.url}/group/demo.git`, service: "gitea" }), code);
      } finally {
        intercept = () => false;
      }
    });
  });

  test("says which limit the contents exceed", async () => {
    await expectFailure(await start({ clone_addr: `${remote.url}/large.git` }), "too_large", { maxBytes: maxPushBytes });
    for (const name of ["first", "second"]) {
      const path = await start({ clone_addr: `${remote.url}/half.git`, name });
      await forge.settled();
      expect(await rowOf(path)).toMatchObject({ state: "done", failure: "", failure_values: "" });
    }
    await expectFailure(await start({ clone_addr: `${remote.url}/half.git` }), "owner_storage_limit", { maxBytes: ownerBytes });
  });

  /** Starts a migration that waits for the remote while something changes. */
  const startMeanwhile = async (fields: Readonly<Record<string, string>>, change: () => Promise<unknown>): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    try {
      const path = await start({ clone_addr: `${remote.url}/demo.git`, ...fields });
      await expect.poll(async () => (await rowOf(path)).state).toBe("running");
      await change();
      return path;
    } finally {
      resolve();
      hold = Promise.resolve();
    }
  };

  test("says what has changed at this server meanwhile", async () => {
    await expectFailure(await startMeanwhile({ name: "raced" }, () => alice.post("/user/repos", { name: "raced" }).expect(201)), "repository_exists");
    const limit = (max_repo_creation: number) => forge.admin.patch("/admin/users/alice", { source_id: 0, login_name: "alice", max_repo_creation }).expect(200);
    await expectFailure(await startMeanwhile({}, () => limit(0)), "repository_limit", { max: 0 });
    await limit(-1);
  });

  describe("failures of this server", () => {
    const wish = (): MigrationInput => ({
      address: `${remote.url}/demo.git`,
      username: "",
      password: "",
      token: "",
      ownerName: "",
      ownerId: 0,
      name: "wanted",
      description: "",
      isPrivate: false,
      isMirror: false,
      mirrorInterval: "",
      service: "git",
      hasWiki: false,
      hasLargeFiles: false,
      parts: { labels: false, milestones: false, issues: false, pulls: false, releases: false },
    });
    /** Runs an attempt of a migration. @returns the path of its page */
    const attempt = async (number: number, sealedInput = sealMigrationInput(forge.context, { wish: wish(), caller: {} })): Promise<string> => {
      const { db } = forge.context;
      const migration = { accountId: alice.id, ownerId: alice.id, name: "wanted", fullName: "alice/wanted", address: wish().address, sealedInput };
      const migrationId = await db.tx((tx) => insertMigration(tx, migration));
      const { signal } = new AbortController();
      await runMigration(
        { ...forge.context, findLinkedAccounts: () => expect.unreachable() },
        { payload: { migrationId }, attempt: number, signal, tx: (work) => db.tx(work) },
      );
      return `/repo/migrations/${migrationId}`;
    };

    test("says that the server stopped during each attempt", async () => {
      await expectFailure(await attempt(4), "server_stopped");
    });

    test("says that the credentials were encrypted with another key", async () => {
      await expectFailure(await attempt(1, "sealed elsewhere"), "credentials_unreadable");
    });

    test("says that the server could not store the repository", async () => {
      const directory = join(forge.dataDirectory, "repositories");
      renameSync(directory, `${directory}.away`);
      writeFileSync(directory, "");
      try {
        await expectFailure(await attempt(3), "server_error");
      } finally {
        rmSync(directory);
        renameSync(`${directory}.away`, directory);
      }
    });
  });

  test("keeps the general sentence for a failure without a known reason", async () => {
    const path = await start({ clone_addr: `${remote.url}/nosuch.git` });
    await forge.settled();
    for (const failure of ["", "reason_of_a_newer_version"]) {
      await forge.context.db.tx((tx) => tx.sql.updateTable("repo_migrations").set({ failure, failure_values: "" }).execute());
      expect(await pageOf(path, "en")).toContain(`${english.failure} ${english.failureHint} Technical details Migration failed`);
      expect(await pageOf(path, "de")).toContain(`${german.failure} ${german.failureHint} Technische Details Migration failed`);
    }
  });

  test("the form of another attempt has the address, the owner and the name of the failed one", async () => {
    await alice.post("/orgs", { username: "guild" }).expect(201);
    const path = await start({ clone_addr: `${remote.url}/nosuch.git`, owner: "guild", name: "again" });
    await forge.settled();
    const link = readPage((await browser.get(path)).text).links.find((target) => target.startsWith(`${form}?`)) ?? "";
    expect((await browser.get(link)).form(form)).toMatchObject({ clone_addr: `${remote.url}/nosuch.git`, owner: "guild", name: "again" });
    // The address of another account's migration is not shown.
    const bob = createBrowser(forge.url);
    await bob.signIn(await forge.createUser("bob"));
    expect((await bob.get(link)).status).toBe(404);
  });
});
