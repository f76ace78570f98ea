import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startServer } from "../tools/server.ts";
import { openGitClient } from "./git-client.ts";
import { pushHostileRepository } from "./hostile-repository.ts";
import { type HttpClient, openClient } from "./http-client.ts";
import type { LoopReport } from "./loop-monitor.ts";

const usage = `node bench/blocking.ts [--only graph,diff] [--limit 50]

Sends the built program content that is expensive to process, and prints the longest block of its event loop for each place: CPU time between two
turns, and wall time as perf_hooks sees it, which other processes lengthen. A row above the limit (ms of CPU) says OVER.`;

interface Place {
  readonly name: string;
  readonly path: string;
  readonly body?: unknown;
  readonly times?: number;
}

const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

async function placesOf(http: HttpClient): Promise<Place[]> {
  const at = "/root1/hostile";
  const api = `/api/v1/repos${at}`;
  const tipOf = async (branch: string): Promise<string> => (await http.json<{ commit: { id: string } }>("GET", `${api}/branches/${branch}`)).commit.id;
  const [changes, signed, merges] = await Promise.all(["changes", "signed", "merges"].map(tipOf));
  const before = (await http.json<{ parents: { sha: string }[] }>("GET", `${api}/git/commits/${changes}`)).parents[0]?.sha;
  const markdown = (name: string, text: string): Place => ({
    name: `markdown ${name}`,
    path: "/api/v1/markdown",
    body: { Text: text, Mode: "gfm", Context: "" },
  });
  const small = 7_900;
  return [
    { name: "issue templates", path: `${api}/issue_templates` },
    { name: "issue configuration", path: `${api}/issue_config` },
    { name: "graph of all branches", path: `${at}/graph` },
    { name: "graph of merges", path: `${at}/graph?branch=merges` },
    { name: "commits of merges, API", path: `${api}/commits?sha=merges&limit=50` },
    { name: "commits of merges, page", path: `${at}/commits/branch/merges` },
    { name: "commit of a merge, API", path: `${api}/git/commits/${merges}` },
    { name: "commit of a merge, page", path: `${at}/commit/${merges}` },
    { name: "directory of 20,000, page", path: `${at}/src/branch/main/wide` },
    { name: "directory of 20,000, API", path: `${api}/contents/wide` },
    { name: "recursive tree", path: `${api}/git/trees/main?recursive=true&per_page=1000` },
    { name: "home page", path: at },
    { name: "deep directory", path: `${at}/src/branch/main/${"deep/".repeat(300)}` },
    { name: "commit of 2,000 files, page", path: `${at}/commit/${before}` },
    { name: "commit of 2,000 files, API", path: `${api}/git/commits/${before}` },
    { name: "commit of 2,000 files, diff", path: `${api}/git/commits/${before}.diff` },
    { name: "changed words, page", path: `${at}/commit/${changes}` },
    { name: "compare, page", path: `${at}/compare/main...changes` },
    { name: "compare, API", path: `${api}/compare/main...changes` },
    { name: "file of one line", path: `${at}/src/branch/main/line.txt` },
    { name: "code of one line", path: `${at}/src/branch/main/line.js` },
    { name: "code of 40,000 lines", path: `${at}/src/branch/main/lines.js` },
    { name: "blame", path: `${at}/blame/branch/main/lines.js` },
    { name: "contents of 4 MB, API", path: `${api}/contents/line.txt` },
    { name: "table", path: `${at}/src/branch/main/table.csv` },
    { name: "table of quotes", path: `${at}/src/branch/main/quotes.csv` },
    { name: "org", path: `${at}/src/branch/main/list.org` },
    { name: "notebook", path: `${at}/src/branch/main/book.ipynb` },
    { name: "deep notebook", path: `${at}/src/branch/main/deep.ipynb` },
    { name: "editorconfig", path: `${api}/editorconfig/wide/1.txt` },
    { name: "languages", path: `${api}/languages` },
    { name: "licenses", path: `${api}/licenses` },
    { name: "signed commit, API", path: `${api}/git/commits/${signed}` },
    { name: "feed", path: `${at}/rss/branch/changes` },
    { name: "search of code", path: `${at}/search?q=a` },
    { name: "validated CODEOWNERS", path: `${api}/pulls`, body: { title: "changes", head: "changes", base: "main" } },
    { name: "pull request, files page", path: `${at}/pulls/1/files` },
    { name: "pull request, files API", path: `${api}/pulls/1/files?limit=50` },
    markdown("lists", fill("* a\n", small)),
    markdown("quotes", fill(">", small)),
    markdown("emphasis", fill("*a **a ", small)),
    markdown("brackets", fill("[", small)),
    markdown("links", fill("[a](<b", small)),
    markdown("html", fill("<a", small)),
    markdown("table", `${fill("|a", 3_000)}\n${fill("|-", 3_000)}\n|\n|\n`),
    markdown("references", fill("#1 @root1 ", small)),
    markdown("footnotes", fill("[^a] [^a]: b\n\n", small)),
    markdown("1 MB", fill("@root1 #1 root1/hostile#1 ", 990_000)),
    { name: "issue of 1 MB", path: `${api}/issues`, body: { title: "long", body: fill("@root1 #1 ", 990_000) } },
    { name: "issue page of 1 MB", path: `${at}/issues/2` },
    { name: "deep JSON", path: `${api}/issues`, body: { title: "deep", labels: JSON.parse(`${"[".repeat(4_000)}${"]".repeat(4_000)}`) } },
    { name: "topics", path: `${api}/topics`, body: { topics: Array.from({ length: 50_000 }, (_, at) => `t${at}`) } },
    {
      name: "commit of 5,000 files",
      path: `${api}/contents`,
      body: { message: "m", branch: "main", files: Array.from({ length: 5_000 }, (_, at) => ({ operation: "create", path: `new/${at}`, content: "YQ==" })) },
    },
    {
      name: "GPG key",
      path: "/api/v1/user/gpg_keys",
      body: { armored_public_key: `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${fill("AAAA", 900_000)}\n-----END PGP PUBLIC KEY BLOCK-----` },
    },
    { name: "SSH key", path: "/api/v1/user/keys", body: { title: "k", key: `ssh-rsa ${fill("AAAA", 900_000)}` } },
    {
      name: "LFS batch",
      path: `${at}.git/info/lfs/objects/batch`,
      body: { operation: "download", objects: Array.from({ length: 10_000 }, (_, at) => ({ oid: at.toString(16).padStart(64, "0"), size: 1 })) },
    },
    { name: "notebook of lists", path: `${api}/markup`, body: { Text: fill("- a\n  ", 900_000), Mode: "file", FilePath: "a.md" } },
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, limit: { type: "string", default: "50" }, help: { type: "boolean" } } });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-blocking-"));
  const reportPath = join(folder, "loop.json");
  const monitor = pathToFileURL(join(import.meta.dirname, "loop-monitor.ts")).href;
  const server = await startServer({ settings: { NODE_OPTIONS: `--import ${monitor}`, HEARTH_BENCH_LOOP_REPORT: reportPath } });
  const http = openClient(server.url, server.token);
  let reports = 0;
  const report = async (): Promise<LoopReport> => {
    reports += 1;
    process.kill(server.pid, "SIGUSR2");
    for (;;) {
      const text = readIfThere(reportPath);
      const read = text === undefined ? undefined : (JSON.parse(text) as LoopReport);
      if (read?.number === reports) return read;
      await delay(5);
    }
  };
  try {
    await http.json("POST", "/api/v1/user/repos", { name: "hostile", default_branch: "main" });
    const git = openGitClient(folder);
    await report();
    const url = new URL("/root1/hostile.git", server.url);
    url.username = "root1";
    url.password = server.token;
    await pushHostileRepository(git, url.href);
    const limitMs = Number(values.limit);
    const print = (name: string, answer: string, { cpuMs, wallMs }: LoopReport): void => {
      const figures = [cpuMs, wallMs].map((ms) => ms.toFixed(0).padStart(6)).join("");
      process.stdout.write(`${name.padEnd(32)}${figures}  ${cpuMs > limitMs ? "OVER" : "    "}  ${answer}\n`);
    };
    process.stdout.write(`${"place".padEnd(32)}   CPU  wall        answer\n`);
    print("push", "", await report());
    const chosen = values.only?.split(",");
    for (const { name, path, body } of await placesOf(http)) {
      if (chosen !== undefined && !chosen.some((word) => name.includes(word))) continue;
      await report();
      const began = performance.now();
      const { status, body: answer } = await http.send(body === undefined ? "GET" : path.endsWith("/topics") ? "PUT" : "POST", path, body);
      const took = performance.now() - began;
      // What follows after the answer counts too.
      await delay(200);
      print(name, `${status} ${Math.round(answer.length / 1024)} KiB ${Math.round(took)} ms`, await report());
    }
  } finally {
    http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

await main();
