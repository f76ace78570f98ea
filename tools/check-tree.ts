import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findWords } from "./plain-words.ts";
import { findRepeatedComments } from "./repeated-comments.ts";
import { repositoryRoot } from "./repository.ts";

/** A violated rule, with its location and the fix. */
export interface TreeFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A rule for the lines of certain files. */
interface LineRule {
  readonly concerns: RegExp;
  readonly finds: RegExp;
  readonly message: string;
}

/** Concatenated, so that the rules do not match this file. */
const openWork = ["TO-DO", "FIX-ME", "X-XX", "HA-CK"].map((word) => word.replace("-", "")).join("|");

const machinePath = "an absolute path of one machine: derive it from the location of the file, or take it as a parameter";

const lineRules: readonly LineRule[] = [
  {
    concerns: /(^|\/)package-lock\.json$/,
    finds: /"resolved":\s*"https?:/,
    message: "the URL of a registry: run npm with the .npmrc of this repository, which omits it",
  },
  {
    concerns: /(^|\/)\.npmrc$/,
    finds: /^\s*(@[^:]+:)?registry\s*=|_auth/,
    message: "the URL or credentials of a registry: move them to your own .npmrc",
  },
  // Tests may use invented home folders, but no checkout folder.
  { concerns: /./, finds: /(^|[^\w./:*-])\/work\/[\w.-]+/, message: machinePath },
  { concerns: /^(?!.*\.test\.tsx?$)/, finds: /(^|[^\w./:*-])\/(home|root|Users)\/[\w.-]+/, message: machinePath },
  {
    concerns: /\.(ts|tsx|mjs)$/,
    finds: /\b(?:mkdtemp|mkdir|writeFile|open)(?:Sync)?\(\s*["'`]\/tmp\b/,
    message: "a file in /tmp, which can be full or contain files of other programs: use tmpdir() of node:os",
  },
  {
    concerns: /./,
    finds: new RegExp(`(//|/\\*|^\\s*[*#]|<!--).*\\b(${openWork})\\b`),
    message: "unfinished work: finish it, or describe the limitation in the documentation",
  },
  { concerns: /./, finds: /^(<{7} |>{7} |={7}$)/, message: "a merge conflict marker" },
];

/** Clocks of elapsed and CPU time, and assertions on the distance to the current time. */
const measuresTime =
  /\bperformance\.now\(|\bhrtime\b|\b(?:threadC|c)puUsage\(|\bmonitorEventLoopDelay\b|\beventLoopUtilization\b|\bexpect\((?:Math\.abs\()?Date\.now\(\)(?: -|\))/;

/** Tests that measure time because the product measures it, each with its reason. */
const timedTests: Readonly<Record<string, string>> = {
  "bench/process-tree.test.ts": "its processes burn CPU time until they have used a given amount",
};

/** Above this a file is probably two subjects (STYLE.md, 16); tests are lists, and can be twice as long. */
const maxLines = 400;
const maxTestLines = 800;
const maxBytes = 1_000_000;

/** Files that may be longer, each with its reason. */
const longFiles: Readonly<Record<string, string>> = {};

/** Words that a file may use although `plain-words.ts` lists them, in lower case and with the reason. */
const allowedWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "tools/plain-words.test.ts": { "is none": "an example", letter: "an example", somebody: "an example" },
};

/** `.git` is a file in a worktree (git-worktree). */
const skippedNames = new Set([".git", "node_modules", "dist", "data"]);
/** Data and tool output rather than prose or code. */
const generated = /^contract\/.*\.json$|(^|\/)fixtures\//;

/** Checks all files for forbidden text, words and sizes, links and paths of Markdown pages, tests named in comments, and the index of decisions. */
export function checkTree(root: string, exceptions: Readonly<Record<string, string>> = longFiles, allowed = allowedWords, timed = timedTests): TreeFault[] {
  const files = listFiles(root, "").filter((file) => !generated.test(file));
  const unused = Object.keys(exceptions).filter((file) => !files.includes(file) || countLines(readFileSync(join(root, file), "utf8")) <= limitOf(file));
  return [
    ...files.flatMap((file) => checkFile(root, file, file in exceptions)),
    ...files.filter((file) => basename(file) === "package-lock.json").flatMap((file) => checkLock(root, file)),
    ...files.filter((file) => file.endsWith(".md")).flatMap((file) => checkLinks(root, file)),
    ...files.filter((file) => file.endsWith(".md")).flatMap((file) => checkNamedPaths(root, file, files)),
    ...files.filter((file) => /(?<!\.test)\.tsx?$/.test(file)).flatMap((file) => checkNamedTests(root, file, files)),
    ...checkDecisions(root, files),
    ...checkWords(root, files, allowed),
    ...checkClocks(root, files, timed),
    ...files.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => checkComments(root, file)),
    ...unused.map((file) => ({ file, line: 1, message: "it is not too long any more: remove it from longFiles in tools/check-tree.ts" })),
  ];
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (skippedNames.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
}

function checkFile(root: string, file: string, mayBeLong: boolean): TreeFault[] {
  const path = join(root, file);
  const { size } = statSync(path);
  if (size > maxBytes) return [{ file, line: 1, message: `${size} bytes: generate it, or download it when it is needed` }];
  const text = readFileSync(path, "utf8");
  if (text.includes("\0")) return [];

  const rules = lineRules.filter(({ concerns }) => concerns.test(file));
  const faults = text
    .split("\n")
    .flatMap((content, at) => rules.filter(({ finds }) => finds.test(content)).map(({ message }) => ({ file, line: at + 1, message })));
  const lines = countLines(text);
  const limit = limitOf(file);
  if (lines <= limit || mayBeLong) return faults;
  return [
    ...faults,
    { file, line: limit + 1, message: `${lines} lines, above ${limit}: split it by subject, or give the reason in longFiles of tools/check-tree.ts` },
  ];
}

/** Listed words, and exceptions that are not needed any more. */
function checkWords(root: string, files: readonly string[], allowed: typeof allowedWords): TreeFault[] {
  const faults = files.flatMap((file) => findWords(file, () => readFileSync(join(root, file), "utf8")).map((found) => ({ file, ...found })));
  const isAllowed = (file: string, word: string): boolean => Object.hasOwn(allowed[file] ?? {}, word.toLowerCase());
  const unused = Object.entries(allowed).flatMap(([file, words]) =>
    Object.keys(words)
      .filter((word) => !faults.some((fault) => fault.file === file && fault.word.toLowerCase() === word))
      .map((word) => ({ file, line: 1, message: `it does not use "${word}" any more: remove it from allowedWords in tools/check-tree.ts` })),
  );
  return [
    ...faults
      .filter(({ file, word }) => !isAllowed(file, word))
      .map(({ file, line, word, advice }) => ({ file, line, message: `"${word}" is not plain technical English: ${advice}` })),
    ...unused,
  ];
}

/** Comments that repeat the code (STYLE.md, 12). */
const checkComments = (root: string, file: string): readonly TreeFault[] =>
  findRepeatedComments(readFileSync(join(root, file), "utf8")).map(({ line, comment }) => ({
    file,
    line,
    message: `"${comment}" repeats the code: say why, give units and limits, or delete it`,
  }));

/** Tests that measure time fail on a busy machine; exceptions that are not needed any more. */
function checkClocks(root: string, files: readonly string[], timed: typeof timedTests): TreeFault[] {
  const faults = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, at) => (measuresTime.test(line) ? [{ file, line: at + 1 }] : [])),
    );
  const message = "a test that measures time: assert counts, sizes or an order of events, poll with expect.poll, and measure in bench/";
  return [
    ...faults.filter(({ file }) => !Object.hasOwn(timed, file)).map((fault) => ({ ...fault, message })),
    ...Object.keys(timed)
      .filter((file) => !faults.some((fault) => fault.file === file))
      .map((file) => ({ file, line: 1, message: "it does not measure time any more: remove it from timedTests in tools/check-tree.ts" })),
  ];
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** npm omits packages of other platforms from the lock file when its registry lacks them, and then refuses to install from that file. */
function checkLock(root: string, file: string): TreeFault[] {
  const { packages = {} } = JSON.parse(readFileSync(join(root, file), "utf8")) as { packages?: Readonly<Record<string, LockedPackage>> };
  const present = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)));
  const wanted = Object.values(packages).flatMap(({ dependencies, optionalDependencies }) => Object.keys({ ...dependencies, ...optionalDependencies }));
  const missing = [...new Set(wanted)].filter((name) => !present.has(name));
  return missing.map((name) => ({
    file,
    line: 1,
    message: `${name} is required but not in the lock file, so npm ci fails: use a version whose packages are in the registry`,
  }));
}

/** Links of a Markdown page to files of the tree and to headings of Markdown pages. */
function checkLinks(root: string, file: string): TreeFault[] {
  let isCode = false;
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line, at) => {
      const isFence = line.startsWith("```");
      if (isFence) isCode = !isCode;
      if (isFence || isCode) return [];
      const links = [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
      const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !isFound(root, file, link));
      return broken.map((link) => ({ file, line: at + 1, message: `a link to ${link}, which does not exist` }));
    });
}

/** A source file by the end of its path, or a path in a folder of the sources. */
const namedPath = /(?<![\w./<>*{},@:$-])(?:[\w-][\w./-]*\.tsx?\b|(?<=`)(?:src|test|tools|bench)\/[\w./-]*(?=`))/g;

/** The source files and folders that a Markdown page names. `NNNN` stands for a number. */
function checkNamedPaths(root: string, file: string, files: readonly string[]): TreeFault[] {
  const exists = (path: string): boolean =>
    path.includes("NNNN") || files.some((one) => `/${one}`.endsWith(`/${path}`) || one.startsWith(`${path.replace(/\/$/, "")}/`));
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line, at) =>
      [...line.matchAll(namedPath)]
        .filter(([path]) => !exists(path))
        .map(([path]) => ({ file, line: at + 1, message: `${path} does not exist: name the file or folder of today` })),
    );
}

function isFound(root: string, file: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? join(root, file) : join(root, dirname(file), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith(".md") || headingAnchors(readFileSync(target, "utf8")).includes(anchor);
}

/** From `@compat` to the end of the comment, which may continue on lines that begin with an asterisk or two slashes. */
const compatComment = /@compat\b.*(?:\n[ \t]*(?:\*(?!\/)|\/\/).*)*/g;

/** The tests that `@compat` comments name, by the ends of their paths. */
function checkNamedTests(root: string, file: string, files: readonly string[]): TreeFault[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(compatComment)].flatMap((comment) =>
    [...comment[0].matchAll(/[\w./-]+\.test\.tsx?\b/g)]
      .filter(([name]) => !files.some((path) => `/${path}`.endsWith(`/${name}`)))
      .map(({ 0: name, index }) => ({
        file,
        line: text.slice(0, comment.index + index).split("\n").length,
        message: `the test file ${name} does not exist: name the one that covers this quirk`,
      })),
  );
}

/** Anchors as GitHub and Hearth derive them from headings. */
const headingAnchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

const decisions = "docs/decisions";
const decisionIndex = `${decisions}/README.md`;

/** Each record is in the index, under its own title. */
function checkDecisions(root: string, files: readonly string[]): TreeFault[] {
  if (!files.includes(decisionIndex)) return [];
  const index = readFileSync(join(root, decisionIndex), "utf8");
  const records = files.filter((file) => file.startsWith(`${decisions}/`) && file !== decisionIndex);
  const rows = records.map((file) => `[${/^# \d+\. (.+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1]}](${basename(file)})`);
  return rows.filter((row) => !index.includes(row)).map((row) => ({ file: decisionIndex, line: 1, message: `${row} is missing: add a row for the record` }));
}

function limitOf(file: string): number {
  if (!/\.(ts|tsx|mjs|js)$/.test(file)) return Number.POSITIVE_INFINITY;
  return /\.test\.tsx?$/.test(file) ? maxTestLines : maxLines;
}

const countLines = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

if (import.meta.main) {
  const faults = checkTree(repositoryRoot);
  for (const { file, line, message } of faults) console.log(`${file}:${line} ${message}`);
  console.log(faults.length === 0 ? "tree rules hold" : `${faults.length} places break the rules of tools/check-tree.ts`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
