import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gitOverSsh, makeKeyPair } from "../test/kit/ssh.ts";
import { startServer } from "../tools/server.ts";
import { type GitClient, openGitClient } from "./git-client.ts";

const usage = `node bench/freshness.ts [--rounds 100]

Pushes to the built program and fetches at once, by the stock git, over HTTP and SSH in turns and in protocol versions 0 and 2. Each round pushes a
commit, a new tag, a tag to cut history at and a tag that moves, and then fetches in four ways at the same time: a clone of one branch (has the new
tag), a shallow clone that is deepened (grows), a clone cut at the new tag, and one cut at the moved tag. Prints each wrong answer, and how many
there were; exits with 1 where there was one.`;

/** Rounds on one repository, so that its history stays short. */
const roundsPerRepository = 100;

interface Round {
  readonly git: GitClient;
  /** Words for git in front of its command. */
  readonly words: readonly string[];
  readonly url: string;
  /** The repository that is pushed from. */
  readonly author: string;
  /** Commits of main so far, the oldest first. */
  readonly commits: string[];
  readonly index: number;
}

interface Answer {
  readonly question: string;
  readonly expected: string;
  readonly got: string;
}

/** A commit on main, and tags by name and commit, in one process. @returns the commit */
async function addCommit({ git, author, commits, index }: Round, tags: (oid: string) => Readonly<Record<string, string>>): Promise<string> {
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
  const oid = await git.run(["-C", author, "fast-import", "--quiet", "--force"], commit.join("\n"));
  commits.push(oid);
  const named = Object.entries(tags(oid)).flatMap(([name, target]) => [`tag ${name}`, `from ${target}`, `tagger ${person}`, `data ${name.length}`, name]);
  if (named.length > 0) await git.run(["-C", author, "fast-import", "--quiet", "--force"], `${named.join("\n")}\n`);
  return oid;
}

/** Runs a round. @returns what was asked, expected and got */
async function runRound(round: Round): Promise<readonly Answer[]> {
  const { git, words, url, author, commits, index } = round;
  const place = (name: string): string => join(git.folder, `${name}-${index}`);
  const run = (...args: readonly string[]): Promise<string> => git.run([...words, ...args]);
  const clone = (name: string, ...options: readonly string[]) => run("clone", "--quiet", "--bare", "--single-branch", ...options, url, place(name));
  const count = (name: string): Promise<string> => git.run(["-C", place(name), "rev-list", "--count", "refs/heads/main"]);
  const [added, cut] = [`r${index}`, `cut${index}`];
  const behind = index % 3;

  await clone("deepened", "--depth=1", "--no-tags");
  const previous = commits.at(-1) ?? "";
  const moved = commits.at(-1 - behind) ?? "";
  const tip = await addCommit(round, (oid) => ({ [added]: oid, [cut]: previous, moving: moved }));
  await run("-C", author, "push", "--quiet", url, "refs/heads/main", `refs/tags/${added}`, `refs/tags/${cut}`, "+refs/tags/moving");

  const ask = async (question: string, expected: string, answer: () => Promise<string>): Promise<Answer> => ({
    question,
    expected,
    got: await answer().catch((error: unknown) => String(error)),
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
    ask("cut at the new tag", "1", async () => {
      await clone("cut", "--no-tags", `--shallow-exclude=${cut}`);
      return count("cut");
    }),
    ask("cut at the moved tag", String(behind + 1), async () => {
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
  const asked = new Map<string, { times: number; wrong: number }>();
  try {
    const git = openGitClient(folder);
    const key = makeKeyPair(folder, "key");
    await post("/user/keys", { title: "bench", key: key.publicKey });
    let repository = { name: "", sshUrl: "", author: "", commits: [] as string[] };
    for (let index = 0; index < rounds; index += 1) {
      if (index % roundsPerRepository === 0) {
        const name = `r${index}`;
        const { ssh_url: sshUrl } = await post("/user/repos", { name, default_branch: "main" });
        const author = join(folder, name);
        await git.run(["init", "--quiet", "--bare", author]);
        repository = { name, sshUrl, author, commits: [] };
        const first: Round = { git, words: [], url: "", author, commits: repository.commits, index };
        for (let count = 0; count < 3; count += 1) await addCommit(first, () => ({}));
        await git.run(["-C", author, "push", "--quiet", httpUrl(server, name), "refs/heads/main"]);
      }
      const over = index % 2 === 0 ? "HTTP" : "SSH";
      const version = index % 4 < 2 ? 2 : 0;
      const url = over === "HTTP" ? httpUrl(server, repository.name) : repository.sshUrl;
      const words = ["-c", `protocol.version=${version}`, ...(over === "HTTP" ? [] : gitOverSsh(key, Number(new URL(url).port)))];
      for (const { question, expected, got } of await runRound({ git, words, url, author: repository.author, commits: repository.commits, index })) {
        const title = `${question}, ${over}, protocol version ${version}`;
        const row = asked.get(title) ?? { times: 0, wrong: 0 };
        asked.set(title, { times: row.times + 1, wrong: row.wrong + (got === expected ? 0 : 1) });
        if (got !== expected) console.log(`round ${index}: ${title}: ${got} instead of ${expected}`);
      }
    }
    for (const line of server.log().filter((text) => text.includes('"level":50'))) console.log(line);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [title, { times, wrong }] of [...asked].sort()) console.log(`${title}: ${times} answers, ${wrong} wrong`);
  const wrong = [...asked.values()].reduce((sum, row) => sum + row.wrong, 0);
  console.log(`${rounds} rounds: ${wrong} wrong answers`);
  return wrong;
}

const httpUrl = ({ url, token }: { readonly url: string; readonly token: string }, name: string): string =>
  `${url.replace("http://", `http://root1:${token}@`)}/root1/${name}.git`;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "100" }, help: { type: "boolean", default: false } } });
if (values.help) console.log(usage);
else process.exitCode = (await main(Number(values.rounds))) === 0 ? 0 : 1;
