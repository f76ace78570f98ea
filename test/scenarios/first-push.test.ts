import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/** The instructions of an empty repository, copied into a shell. */

let forge: TestForge;
let alice: TestUser;
const folder = mkdtempSync(join(tmpdir(), "hearth-first-push-"));
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const textOf = (html: string): string =>
  html.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name] ?? "");

/** Runs the commands as a newcomer would: in an empty folder, with a name and a password for the server. @returns the message of a failure */
function run(name: string, commands: string): Promise<string | undefined> {
  const path = join(folder, name);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Alice",
    GIT_AUTHOR_EMAIL: "alice@example.com",
    GIT_COMMITTER_NAME: "Alice",
    GIT_COMMITTER_EMAIL: "alice@example.com",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString("base64")}`,
  };
  return new Promise((resolve) => {
    execFile("bash", ["-e", "-c", `mkdir -p '${path}' && cd '${path}' && ${commands}`], { env }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr);
    });
  });
}

async function readInstructions(name: string): Promise<readonly string[]> {
  await alice.post("/user/repos", { name }).expect(201);
  const browser = createBrowser(forge.url);
  await browser.signIn(alice);
  const { text } = await browser.get(`/alice/${name}`);
  return [...text.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, commands = ""]) => textOf(commands));
}

test("the commands for a new repository work in an empty folder", async () => {
  const [create = ""] = await readInstructions("fresh");
  expect(create).toContain("git init");
  expect(await run("fresh", create)).toBe(undefined);
  const readme = await alice.get<{ content: string }>("/repos/alice/fresh/contents/README.md").expect(200);
  expect(Buffer.from(readme.content, "base64").toString()).toBe("# fresh\n");
});

test("the commands for an existing repository push all of its branches", async () => {
  const [, existing = ""] = await readInstructions("older");
  expect(await run("older", "git init -q -b main && git commit -q --allow-empty -m one && git branch other")).toBe(undefined);
  expect(await run("older", existing)).toBe(undefined);
  const branches = await alice.get<{ name: string }[]>("/repos/alice/older/branches").expect(200);
  expect(branches.map(({ name }) => name).sort()).toEqual(["main", "other"]);
});
