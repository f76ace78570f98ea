import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gitOverSsh, makeKeyPair } from "../test/kit/ssh.ts";
import { startServer } from "../tools/server.ts";
import { type GitClient, openGitClient } from "./git-client.ts";

const usage = `npm run bench -- freshness [--rounds 100]

Pushes to the built program and fetches immediately afterwards, with git, alternating between HTTP and SSH and between protocol versions 0 and 2.
Each round pushes a commit, a new tag, a tag to exclude history, and a tag that moves. It then fetches in four ways at the same time: a clone of one
branch (must have the new tag), deepening a shallow clone, a clone that excludes the history of the new tag, and one that excludes that of the moved
tag. Prints each wrong response and their number; exits with 1 if there is one.`;

/** A new repository is used after this many rounds, so that its history stays short. */
const roundsPerRepository = 100;

interface Round {
  readonly git: GitClient;
  /** Arguments of git before its command. */
  readonly gitOptions: readonly string[];
  readonly url: string;
  /** The local repository that is pushed. */
  readonly source: string;
  /** Commits of main, the oldest first. */
  readonly commits: string[];
  readonly index: number;
}

interface CheckResult {
  readonly check: string;
  readonly expected: string;
  readonly actual: string;
}

/** Adds a commit to main, and tags by name and target. @returns the commit */
async function addCommit({ git, source, commits, index }: Round, tags: (oid: string) => Readonly<Record<string, string>>): Promise<string> {
  const person = `Bench <bench@example.org> ${1_700_000_000 + commits.length * 60} +0000`;
  const content = `${index} ${commits.length}\n`;
  const parent = commits.at(-1);
  const commit = [
    "commit refs/heads/main",
    "mark :1",
    `committer ${person}`,
    "data 6",
    "change",
    ...(parent === undefined ? [] : [`from ${parent}`]),
    "M 644 inline file",
    `data ${content.length}`,
    content,
    "get-mark :1",
    "",
  ];
  const oid = await git.run(["-C", source, "fast-import", "--quiet", "--force"], commit.join("\n"));
  commits.push(oid);
  const named = Object.entries(tags(oid)).flatMap(([name, target]) => [`tag ${name}`, `from ${target}`, `tagger ${person}`, `data ${name.length}`, name]);
  if (named.length > 0) await git.run(["-C", source, "fast-import", "--quiet", "--force"], `${named.join("\n")}\n`);
  return oid;
}

/** @returns each check with the expected and the actual result */
async function runRound(round: Round): Promise<readonly CheckResult[]> {
  const { git, gitOptions, url, source, commits, index } = round;
  const place = (name: string): string => join(git.folder, `${name}-${index}`);
  const run = (...args: readonly string[]): Promise<string> => git.run([...gitOptions, ...args]);
  const clone = (name: string, ...options: readonly string[]) => run("clone", "--quiet", "--bare", "--single-branch", ...options, url, place(name));
  const count = (name: string): Promise<string> => git.run(["-C", place(name), "rev-list", "--count", "refs/heads/main"]);
  const [added, cut] = [`r${index}`, `cut${index}`];
  const distance = index % 3;

  await clone("deepened", "--depth=1", "--no-tags");
  const previous = commits.at(-1) ?? "";
  const moved = commits.at(-1 - distance) ?? "";
  const tip = await addCommit(round, (oid) => ({ [added]: oid, [cut]: previous, moving: moved }));
  await run("-C", source, "push", "--quiet", url, "refs/heads/main", `refs/tags/${added}`, `refs/tags/${cut}`, "+refs/tags/moving");

  const ask = async (check: string, expected: string, answer: () => Promise<string>): Promise<CheckResult> => ({
    check,
    expected,
    actual: await answer().catch((error: unknown) => String(error)),
  });
  const answers = await Promise.all([
    ask("clone with the new tag", tip, async () => {
      await clone("tagged");
      return git.run(["-C", place("tagged"), "rev-parse", `refs/tags/${added}^{}`]);
    }),
    ask("deepen by one", "3", async () => {
      await run("-C", place("deepened"), "fetch", "--quiet", "--no-tags", "--deepen=1", url, "+refs/heads/main:refs/heads/main");
      return count("deepened");
    }),
    ask("exclude the history of the new tag", "1", async () => {
      await clone("cut", "--no-tags", `--shallow-exclude=${cut}`);
      return count("cut");
    }),
    ask("exclude the history of the moved tag", String(distance + 1), async () => {
      await clone("moved", "--no-tags", "--shallow-exclude=moving");
      return count("moved");
    }),
  ]);
  for (const name of ["deepened", "tagged", "cut", "moved"]) rmSync(place(name), { recursive: true, force: true });
  return answers;
}

async function main(rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-freshness-"));
  const server = await startServer({ settings: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0", HEARTH_LOG_LEVEL: "error" } });
  const post = async (path: string, body: object): Promise<{ readonly ssh_url: string }> => {
    const headers = { authorization: `token ${server.token}`, "content-type": "application/json" };
    const response = await fetch(`${server.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<{ readonly ssh_url: string }>;
  };
  const tally = new Map<string, { times: number; wrong: number }>();
  try {
    const git = openGitClient(folder);
    const key = makeKeyPair(folder, "key");
    await post("/user/keys", { title: "bench", key: key.publicKey });
    let repository = { name: "", sshUrl: "", source: "", commits: [] as string[] };
    for (let index = 0; index < rounds; index += 1) {
      if (index % roundsPerRepository === 0) {
        const name = `r${index}`;
        const { ssh_url: sshUrl } = await post("/user/repos", { name, default_branch: "main" });
        const source = join(folder, name);
        await git.run(["init", "--quiet", "--bare", source]);
        repository = { name, sshUrl, source, commits: [] };
        const first: Round = { git, gitOptions: [], url: "", source, commits: repository.commits, index };
        for (let count = 0; count < 3; count += 1) await addCommit(first, () => ({}));
        await git.run(["-C", source, "push", "--quiet", httpUrl(server, name), "refs/heads/main"]);
      }
      const transport = index % 2 === 0 ? "HTTP" : "SSH";
      const version = index % 4 < 2 ? 2 : 0;
      const url = transport === "HTTP" ? httpUrl(server, repository.name) : repository.sshUrl;
      const gitOptions = ["-c", `protocol.version=${version}`, ...(transport === "HTTP" ? [] : gitOverSsh(key, Number(new URL(url).port)))];
      for (const { check, expected, actual } of await runRound({ git, gitOptions, url, source: repository.source, commits: repository.commits, index })) {
        const title = `${check}, ${transport}, protocol version ${version}`;
        const row = tally.get(title) ?? { times: 0, wrong: 0 };
        tally.set(title, { times: row.times + 1, wrong: row.wrong + (actual === expected ? 0 : 1) });
        if (actual !== expected) console.log(`round ${index}: ${title}: ${actual} instead of ${expected}`);
      }
    }
    for (const line of server.log().filter((text) => text.includes('"level":50'))) console.log(line);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [title, { times, wrong }] of [...tally].sort()) console.log(`${title}: ${times} responses, ${wrong} wrong`);
  const wrong = [...tally.values()].reduce((sum, row) => sum + row.wrong, 0);
  console.log(`${rounds} rounds: ${wrong} wrong responses`);
  return wrong;
}

const httpUrl = ({ url, token }: { readonly url: string; readonly token: string }, name: string): string =>
  `${url.replace("http://", `http://root1:${token}@`)}/root1/${name}.git`;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "100" }, help: { type: "boolean", default: false } } });
if (values.help) console.log(usage);
else process.exitCode = (await main(Number(values.rounds))) === 0 ? 0 : 1;
