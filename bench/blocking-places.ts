import { createHash, randomBytes } from "node:crypto";
import { expensivePgpKey, largeSshKey } from "./expensive-keys.ts";
import type { HttpClient } from "./http-client.ts";

/** A request that is as expensive as one that the server accepts can be. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** Default: POST for a request with a body, otherwise GET. */
  readonly method?: string;
  /** A string or bytes are sent as they are, other values as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** Expected status; default 200. */
  readonly status?: number;
}

const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

const json = { contentType: "application/json" };
const form = { contentType: "application/x-www-form-urlencoded" };
const boundary = "hearth-bench-boundary";
const parts = { contentType: `multipart/form-data; boundary=${boundary}` };
const lfs = { contentType: "application/vnd.git-lfs+json" };

const keys = (count: number): string => Array.from({ length: count }, (_, at) => `"${at.toString(36)}":1,`).join("");
const base64 = (size: number): string => randomBytes(size).toString("base64");

function multipart(fields: number, text: string): string {
  const part = (name: string, value: string): string => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return `${part("title", "multipart")}${Array.from({ length: fields }, (_, at) => part(`f${at}`, text)).join("")}--${boundary}--\r\n`;
}

const patch = (lines: number): string => `diff --git a/patched.txt b/patched.txt
new file mode 100644
--- /dev/null
+++ b/patched.txt
@@ -0,0 +1,${lines} @@
${"+patched line here\n".repeat(lines)}`;

const lfsBatch = (count: number) => ({
  operation: "download",
  objects: Array.from({ length: count }, (_, at) => ({ oid: at.toString(16).padStart(64, "0"), size: 1 })),
});

const blobIdOf = (data: Buffer): string => createHash("sha1").update(`blob ${data.length}\0`).update(data).digest("hex");

/** @returns requests to the repository that `pushHostileRepository` pushed, in the order in which they are sent */
export async function placesOf(http: HttpClient): Promise<Place[]> {
  const at = "/root1/hostile";
  const api = `/api/v1/repos${at}`;
  const large = randomBytes(50_000_000);
  const tipOf = async (branch: string): Promise<string> => (await http.json<{ commit: { id: string } }>("GET", `${api}/branches/${branch}`)).commit.id;
  const [changes, signed, merges] = await Promise.all(["changes", "signed", "merges"].map(tipOf));
  const before = (await http.json<{ parents: { sha: string }[] }>("GET", `${api}/git/commits/${changes}`)).parents[0]?.sha;
  const markdown = (name: string, text: string): Place => ({
    name: `markdown ${name}`,
    path: "/api/v1/markdown",
    body: { Text: text, Mode: "gfm", Context: "" },
  });
  const small = 4_900;
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
    { name: "directory of 10,000, API", path: `${api}/contents/half` },
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
    { name: "code of 100,000 lines", path: `${at}/src/branch/main/blank.js` },
    { name: "code of invisible characters", path: `${at}/src/branch/main/unseen.js` },
    { name: "blame", path: `${at}/blame/branch/main/blamed.js` },
    { name: "contents of 4 MB, API", path: `${api}/contents/line.txt` },
    { name: "table", path: `${at}/src/branch/main/table.csv` },
    { name: "table of quotes", path: `${at}/src/branch/main/quotes.csv` },
    ...["long", "formulas", "macros", "diagrams", "alerts", "headings", "images"].map((name) => ({
      name: `text of ${name}, page`,
      path: `${at}/src/branch/main/texts/${name}.md`,
    })),
    { name: "org", path: `${at}/src/branch/main/list.org` },
    { name: "notebook", path: `${at}/src/branch/main/book.ipynb` },
    { name: "deep notebook", path: `${at}/src/branch/main/deep.ipynb` },
    { name: "notebook of empty lists", path: `${at}/src/branch/main/lists.ipynb` },
    { name: "editorconfig", path: `${api}/editorconfig/wide/1.txt` },
    { name: "languages", path: `${api}/languages` },
    { name: "licenses", path: `${api}/licenses` },
    { name: "signed commit, API", path: `${api}/git/commits/${signed}` },
    { name: "feed", path: `${at}/rss/branch/changes` },
    { name: "long messages, feed", path: `${at}/rss/branch/messages` },
    { name: "long messages, commits API", path: `${api}/commits?sha=messages&limit=30` },
    { name: "long messages, commits page", path: `${at}/commits/branch/messages` },
    { name: "long messages, graph", path: `${at}/graph?branch=messages` },
    { name: "long messages, commit page", path: `${at}/commit/messages` },
    { name: "long messages, commit API", path: `${api}/git/commits/messages` },
    { name: "long messages, compare page", path: `${at}/compare/main...messages` },
    { name: "long messages, compare API", path: `${api}/compare/main...messages` },
    { name: "long messages, home page", path: `${at}/src/branch/messages` },
    { name: "long messages, branches API", path: `${api}/branches` },
    { name: "long messages, branches page", path: `${at}/branches` },
    { name: "long messages, patch", path: `${at}/commit/messages.patch` },
    { name: "long messages, pull request", path: `${api}/pulls`, body: { title: "messages", head: "messages", base: "main" }, status: 201 },
    { name: "long messages, pull commits", path: `${api}/pulls/1/commits?limit=30` },
    { name: "long messages, pull page", path: `${at}/pulls/1` },
    { name: "search of code", path: `${at}/search?q=a` },
    { name: "validated CODEOWNERS", path: `${api}/pulls`, body: { title: "changes", head: "changes", base: "main" }, status: 201 },
    { name: "pull request, files page", path: `${at}/pulls/2/files` },
    { name: "pull request, files API", path: `${api}/pulls/2/files?limit=50` },
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
    { name: "issue of 512 KB", path: `${api}/issues`, body: { title: "long", body: fill("@root1 #1 ", 524_288) }, status: 201 },
    { name: "issue of 512 KB, page", path: `${at}/issues/3` },
    { name: "comment of 512 KB", path: `${api}/issues/3/comments`, body: { body: fill("closes #1 ", 524_288) }, status: 201 },
    {
      name: "deep JSON",
      path: `${api}/issues`,
      body: `{"title":"deep","ref":null,"unknown":${"[".repeat(40_000)}${"]".repeat(40_000)}}`,
      ...json,
      status: 201,
    },
    { name: "JSON of empty lists", path: `${api}/issues`, body: `{"title":"lists","unknown":[${"[],".repeat(190_000)}1]}`, ...json, status: 201 },
    { name: "JSON of keys", path: `${api}/issues`, body: `{"title":"keys","unknown":{${keys(55_000)}"x":1}}`, ...json, status: 201 },
    { name: "JSON of 4 MB of lists", path: `${api}/issues`, body: `{"title":"lists","unknown":[${"[],".repeat(1_300_000)}1]}`, ...json, status: 413 },
    { name: "JSON of 4 MB of text", path: `${api}/issues`, body: { title: "text", unknown: fill("\n", 2_000_000) }, status: 201 },
    { name: "form of fields", path: `${api}/issues`, body: `title=form&${fill("a&", 19_000)}`, ...form, status: 201 },
    { name: "form of 4 MB of fields", path: `${api}/issues`, body: `title=form&${fill("a&", 4_000_000)}`, ...form, status: 413 },
    { name: "form of escapes", path: `${api}/issues`, body: `title=form&unknown=${fill("%C3%A4", 4_000_000)}`, ...form, status: 201 },
    { name: "multipart of fields", path: `${api}/issues`, body: multipart(95, ""), ...parts, status: 201 },
    {
      name: "multipart of near boundaries",
      path: `${api}/issues`,
      body: multipart(1, fill(`\r\n--${boundary.slice(0, -1)}`, 4_000_000)),
      ...parts,
      status: 201,
    },
    { name: "topics", method: "PUT", path: `${api}/topics`, body: { topics: Array.from({ length: 25 }, (_, at) => `t${at}`) }, status: 204 },
    {
      name: "topics that are refused",
      method: "PUT",
      path: `${api}/topics`,
      body: { topics: Array.from({ length: 1_000 }, (_, at) => `t${at}`) },
      status: 422,
    },
    {
      name: "commit of 5,000 files",
      path: `${api}/contents`,
      body: { message: "m", branch: "main", files: Array.from({ length: 5_000 }, (_, at) => ({ operation: "create", path: `new/${at}`, content: "YQ==" })) },
      status: 201,
    },
    { name: "file of 10 MB", path: `${api}/contents/ten.bin`, body: { message: "m", content: base64(10_000_000) }, status: 201 },
    { name: "file of 50 MB", path: `${api}/contents/fifty.bin`, body: { message: "m", content: large.toString("base64") }, status: 201 },
    {
      name: "file of 50 MB, replaced",
      method: "PUT",
      path: `${api}/contents/fifty.bin`,
      body: { message: "m", content: base64(50_000_000), sha: blobIdOf(large) },
    },
    {
      name: "file of 50 MB among others",
      path: `${api}/contents`,
      body: { message: "m", files: [{ operation: "create", path: "others/fifty.bin", content: base64(50_000_000) }] },
      status: 201,
    },
    { name: "contents of 10 MB, API", path: `${api}/contents/ten.bin` },
    { name: "patch of 1 MB", path: `${api}/diffpatch`, body: { message: "m", content: patch(50_000) }, status: 201 },
    { name: "diff of a commit", path: `${at}/commit/${before}.diff` },
    { name: "patch of a commit", path: `${at}/commit/${before}.patch` },
    { name: "GPG key", path: "/api/v1/user/gpg_keys", body: { armored_public_key: expensivePgpKey() }, status: 201 },
    { name: "SSH key", path: "/api/v1/user/keys", body: { title: "k", key: largeSshKey() }, status: 201 },
    { name: "LFS batch", path: `${at}.git/info/lfs/objects/batch`, body: JSON.stringify(lfsBatch(1_000)), ...lfs },
    {
      name: "LFS batch of unknown fields",
      path: `${at}.git/info/lfs/objects/batch`,
      body: `{"operation":"download","objects":[],${keys(55_000)}"x":1}`,
      ...lfs,
    },
    { name: "notebook of lists", path: `${api}/markup`, body: { Text: fill("- a\n  ", 900_000), Mode: "file", FilePath: "a.md" } },
  ];
}
