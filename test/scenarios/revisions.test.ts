import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { inject } from "../kit/inject.ts";

/** Calls every route that takes a revision with every form of a revision. */

/** Commits on the branch main by position, oldest first; each changes the one file. */
type CommitPosition = 1 | 2 | 3;
const textOf = (position: CommitPosition): string => `version-${position}-of-the-file`;

type FormKind = "branch" | "tag" | "commit";

interface KnownRevisions {
  readonly commits: Readonly<Record<CommitPosition, string>>;
  readonly trees: Readonly<Record<CommitPosition, string>>;
  readonly tagObject: string;
}

/** The URL kind of each form, for URLs that state one. */
const formsOf = ({ commits, tagObject }: KnownRevisions): readonly (readonly [rev: string, position: CommitPosition, kind: FormKind])[] => [
  ["HEAD", 3, "branch"],
  ["main", 3, "branch"],
  ["heads/main", 3, "branch"],
  ["refs/heads/main", 3, "branch"],
  ["feature/x", 2, "branch"],
  ["heads/feature/x", 2, "branch"],
  ["refs/heads/feature/x", 2, "branch"],
  ["light", 1, "tag"],
  ["tags/light", 1, "tag"],
  ["refs/tags/light", 1, "tag"],
  ["v1.0", 2, "tag"],
  ["refs/tags/v1.0", 2, "tag"],
  [commits[1], 1, "commit"],
  [commits[2].slice(0, 10), 2, "commit"],
  [tagObject, 2, "commit"],
  ["main~1", 2, "commit"],
  ["main~2", 1, "commit"],
  ["HEAD^", 2, "commit"],
  ["feature/x~1", 1, "commit"],
  ["refs/heads/feature/x~1", 1, "commit"],
  ["v1.0^{}", 2, "commit"],
  [`v1.0-1-g${commits[3].slice(0, 9)}`, 3, "commit"],
];

interface Taken {
  /** Path below the repository's URL. */
  readonly address: (rev: string) => string;
  readonly method?: "GET" | "HEAD";
  /** Only forms of these kinds. */
  readonly kinds?: readonly FormKind[];
  /** A text that only the response for this commit contains; default: the commit id. */
  readonly shows?: (known: KnownRevisions, position: CommitPosition) => string;
  /** A text that the response must not contain, if it includes other commits. */
  readonly hides?: (known: KnownRevisions, position: CommitPosition) => readonly string[];
}

const encoded = (rev: string): string => rev.split("/").map(encodeURIComponent).join("/");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const inText = { shows: (_: KnownRevisions, position: CommitPosition) => textOf(position) };
const inBase64 = { shows: (_: KnownRevisions, position: CommitPosition) => base64(textOf(position)).slice(0, 20) };
/** The newest commit of a history. */
const newest = {
  hides: ({ commits }: KnownRevisions, position: CommitPosition) => ([1, 2, 3] as const).filter((other) => other > position).map((other) => commits[other]),
};
const kinds = ["branch", "tag", "commit"] as const;
const ofEachKind = (address: (kind: FormKind, rev: string) => string, rest: Omit<Taken, "address"> = {}): Taken[] =>
  kinds.map((kind) => ({ ...rest, kinds: [kind], address: (rev) => address(kind, encoded(rev)) }));
const inQuery = (path: string, name: string, rest: Omit<Taken, "address"> = {}): Taken[] => [
  { ...rest, address: (rev) => `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(rev)}` },
];
const inPath = (address: (rev: string) => string, rest: Omit<Taken, "address"> = {}): Taken[] => [{ ...rest, address: (rev) => address(encoded(rev)) }];
const archive = { method: "HEAD" } as const;

/** Revision handling by operation id. */
const taken: Readonly<Record<string, readonly Taken[]>> = {
  repoGetAllCommits: [
    ...inQuery("/commits", "sha", newest),
    ...inQuery("/commits?sha=main", "not", { hides: (_, position) => [`"message":"commit ${position}\\n"`], shows: () => "[" }),
  ],
  repoGetCommitByRef: inPath((rev) => `/commits/${rev}`),
  repoGetSingleCommit: inPath((rev) => `/git/commits/${rev}`),
  repoDownloadCommitDiffOrPatch: inPath((rev) => `/git/commits/${rev}.patch`),
  webCommitText: inPath((rev) => `/commit/${rev}.patch`),
  repoCompareDiff: inPath((rev) => `/compare/${rev}...main`, { shows: (_, position) => `"total_commits":${3 - position}` }),
  webCompareText: inPath((rev) => `/compare/empty...${rev}.diff`, inText),
  repoGetNote: inPath((rev) => `/git/notes/${rev}`, { shows: (_, position) => `note ${position}` }),
  GetTree: [
    ...inPath((rev) => `/git/trees/${rev}`),
    ...inPath((rev) => `/git/trees/${rev}%5E%7Btree%7D`),
    ...inPath((rev) => `/git/trees/${rev}:folder`, { shows: () => '"path":"b.txt"' }),
  ],
  repoListStatuses: inPath((rev) => `/statuses/${rev}`, { kinds: ["commit"], shows: (_, position) => `check-${position}` }),
  repoListStatusesByRef: inPath((rev) => `/commits/${rev}/statuses`, { shows: (_, position) => `check-${position}` }),
  repoGetCombinedStatusByRef: inPath((rev) => `/commits/${rev}/status`, { shows: (_, position) => `check-${position}` }),
  repoGetContentsList: inQuery("/contents", "ref"),
  repoGetContents: [...inQuery("/contents/a.txt", "ref", inBase64), ...inQuery("/contents/a.txt", "branch", inBase64)],
  repoGetContentsExt: inQuery("/contents-ext/a.txt?includes=file_content", "ref", inBase64),
  repoGetFileContents: inQuery(`/file-contents?body=${encodeURIComponent('{"files":["a.txt"]}')}`, "ref", inBase64),
  repoGetEditorConfig: inQuery("/editorconfig/a.txt", "ref", { shows: (_, position) => `"indent_size":"${position}"` }),
  repoGetRawFile: [...inQuery("/raw/a.txt", "ref", inText), ...inPath((rev) => `/raw/${rev}/a.txt`, inText)],
  repoGetRawFileOrLFS: [...inQuery("/media/a.txt", "ref", inText), ...inPath((rev) => `/media/${rev}/a.txt`, inText)],
  webGetRaw: [...ofEachKind((kind, rev) => `/raw/${kind}/${rev}/a.txt`, inText), ...inPath((rev) => `/raw/${rev}/a.txt`, inText)],
  webGetMedia: [...ofEachKind((kind, rev) => `/media/${kind}/${rev}/a.txt`, inText), ...inPath((rev) => `/media/${rev}/a.txt`, inText)],
  sourcePage: [...ofEachKind((kind, rev) => `/src/${kind}/${rev}/a.txt`, inText), ...inPath((rev) => `/src/${rev}/a.txt`, inText)],
  treeAddressPage: inPath((rev) => `/tree/${rev}/a.txt`, inText),
  blobAddressPage: inPath((rev) => `/blob/${rev}/a.txt`, inText),
  switchRevPage: inQuery("/src?path=a.txt", "rev", inText),
  blamePage: ofEachKind((kind, rev) => `/blame/${kind}/${rev}/a.txt`),
  findFilePage: ofEachKind((kind, rev) => `/find/${kind}/${rev}`, { shows: () => "a.txt" }),
  codeSearchPage: inQuery("/search?q=version", "ref", { shows: (_, position) => `-${position}-of-the-file` }),
  historyPage: ofEachKind((kind, rev) => `/commits/${kind}/${rev}`, newest),
  commitPage: inPath((rev) => `/commit/${rev}`),
  comparePage: inPath((rev) => `/compare/empty...${rev}`, newest),
  chooseComparison: inQuery("/compare?base=empty", "head", newest),
  graphPage: inQuery("/graph", "branch", { kinds: ["branch"], ...newest }),
  editFilePage: inPath((rev) => `/_edit/${rev}/a.txt`, { kinds: ["branch"], ...inText }),
  newFilePage: inPath((rev) => `/_new/${rev}/folder`, { kinds: ["branch"], shows: () => "<textarea" }),
  deleteFilePage: inPath((rev) => `/_delete/${rev}/a.txt`, { kinds: ["branch"], shows: () => "<form" }),
  uploadFilesPage: inPath((rev) => `/_upload/${rev}/folder`, { kinds: ["branch"], shows: () => 'type="file"' }),
  repoGetArchive: inPath((rev) => `/archive/${rev}.zip`, archive),
  webGetArchive: inPath((rev) => `/archive/${rev}.tar.gz`, archive),
  repoGetTarball: inPath((rev) => `/tarball/${rev}`, archive),
  repoGetZipball: inPath((rev) => `/zipball/${rev}`, archive),
  repoGetBundle: inPath((rev) => `/bundle/${rev}`, archive),
  commitFeed_rss: inPath((rev) => `/rss/branch/${rev}`, { kinds: ["branch"], ...newest }),
  commitFeed_atom: inPath((rev) => `/atom/branch/${rev}`, { kinds: ["branch"], ...newest }),
};

/** Routes with such parameter names that take no revision, with the reasons. */
const others: Readonly<Record<string, string>> = {
  getWorkflowRuns: "filters by the name of a branch, as it was when the run started",
  runsPage: "filters by the name of a branch, as it was when the run started",
  workflowBadge: "filters by the name of a branch, as it was when the run started",
  GetAnnotatedTag: "the id of a tag object",
  GetBlob: "the id of a blob",
  repoListGitRefs: "the beginning of names of refs",
  repoGetCommitPullRequest: "the id of a merge commit",
  webGetNotebookPicture: "the id of a commit",
  webGetReleaseAttachment: "the name of a tag, or `latest`",
  cherryPickPage: "the id of a commit",
  startWorkflowPage: "a branch or the full name of a ref, as the API operation that starts a workflow takes it",
  containingRefsPage: "the id of a commit",
};

/** Names of parameters that take a revision. */
const inPathNames = /\{(?:ref|sha|basehead|archive|rev|filepath)[+*]?\}/;
const queryNames = ["ref", "sha", "not", "rev", "branch", "base", "head"];

const takesRevision = ({ path, query, method, mount }: Route): boolean =>
  method === "GET" && (path.includes("{repo}") || mount === "root") && (inPathNames.test(path) || queryNames.some((name) => Object.hasOwn(query, name)));

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let work: GitUser;
  let known: KnownRevisions;
  let browser: Browser;

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await work.init("r");
    const commits: string[] = [];
    for (const position of [1, 2, 3] as const) {
      const files = { "a.txt": `${textOf(position)}\n`, "folder/b.txt": `${position}\n`, ".editorconfig": `root = true\n[*]\nindent_size = ${position}\n` };
      const oid = await work.commit("r", files, `commit ${position}`);
      commits.push(oid);
      await work.git("r", "notes", "add", "-m", `note ${position}`, oid);
    }
    const [one = "", two = "", three = ""] = commits;
    await work.git("r", "branch", "feature/x", two);
    await work.git("r", "tag", "light", one);
    await work.git("r", "tag", "-a", "-m", "tagged", "v1.0", two);
    const emptyTree = await work.git("r", "hash-object", "-t", "tree", "-w", "/dev/null");
    await work.git("r", "branch", "empty", await work.git("r", "commit-tree", "-m", "empty", emptyTree));
    const treeOf = (oid: string) => work.git("r", "rev-parse", `${oid}^{tree}`);
    known = {
      commits: { 1: one, 2: two, 3: three },
      trees: { 1: await treeOf(one), 2: await treeOf(two), 3: await treeOf(three) },
      tagObject: await work.git("r", "rev-parse", "v1.0"),
    };
    await work.git("r", "push", "-q", `${alice.gitOrigin}/alice/r`, "main", "feature/x", "empty", "--tags", "refs/notes/commits");
    for (const position of [1, 2, 3] as const)
      await alice.post(`/repos/alice/r/statuses/${known.commits[position]}`, { state: "success", context: `check-${position}` }).expect(200);
    await forge.settled();
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  test("the table contains every route that takes a revision", () => {
    const found = forge.forge.routes.filter(takesRevision).map(({ id }) => id);
    expect(found.filter((id) => !Object.hasOwn(taken, id) && !Object.hasOwn(others, id))).toEqual([]);
    expect([...Object.keys(taken), ...Object.keys(others)].filter((id) => !found.includes(id))).toEqual([]);
  });

  /** The response after redirects. */
  async function ask(url: string, method: "GET" | "HEAD"): Promise<{ status: number; text: string }> {
    const headers = url.startsWith("/api/") ? { authorization: `token ${alice.token}` } : { cookie: browser.cookie };
    let answer = await inject(forge.forge.http, { method, url, headers });
    for (let hops = 0; answer.statusCode === 303 && hops < 3; hops += 1)
      answer = await inject(forge.forge.http, { method, url: String(answer.headers.location), headers });
    return { status: answer.statusCode, text: method === "HEAD" ? String(answer.headers.etag) : answer.body };
  }

  describe.each(Object.keys(taken))("%s", (id) => {
    test("accepts every form of a revision", async () => {
      const route = forge.forge.routes.find((one) => one.id === id);
      const prefix = route?.mount === "root" ? "/alice/r" : "/api/v1/repos/alice/r";
      const wrong: string[] = [];
      for (const {
        address,
        method = "GET",
        kinds: only = kinds,
        shows = ({ commits }: KnownRevisions, position: CommitPosition) => commits[position],
        hides,
      } of taken[id] ?? []) {
        for (const [rev, position] of formsOf(known).filter(([, , kind]) => only.includes(kind))) {
          const url = prefix + address(rev);
          const { status, text } = await ask(url, method);
          const isRight = status === 200 && text.includes(shows(known, position)) && !(hides?.(known, position) ?? []).some((hidden) => text.includes(hidden));
          if (!isRight) wrong.push(`${url}: ${status} ${text.length > 300 ? text.length : text}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
});
