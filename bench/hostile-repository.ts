import type { GitClient } from "./git-client.ts";

/** A repository whose content is as expensive as an attacker can make it, within what a push takes. */

interface File {
  readonly path: string;
  readonly data: string;
}

const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");

const notebook = (cells: number): string =>
  JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: Array.from({ length: cells }, (_, at) => ({
      cell_type: at % 2 === 0 ? "code" : "markdown",
      source: ["x = 1\n"],
      outputs: at % 2 === 0 ? [{ output_type: "stream", text: ["a\n"] }] : undefined,
    })),
  });

const uniqueKeys = `unused: {${Array.from({ length: 12_000 }, (_, at) => at.toString(36)).join(",")}}`;

const hostileFiles = (): File[] => [
  ...Array.from({ length: 20 }, (_, at) => ({
    path: `.gitea/ISSUE_TEMPLATE/${at}.yaml`,
    data: `name: ${at}\nabout: a form\nbody:\n- type: input\n  attributes: {label: a}\nunused: [${"[],".repeat(20_000)}]\n`,
  })),
  { path: ".gitea/ISSUE_TEMPLATE/config.yaml", data: `blank_issues_enabled: true\n${uniqueKeys}\n` },
  { path: ".editorconfig", data: lines(20_000, (at) => `[${"{a,b}".repeat(10)}${at}]\nindent_size = 2`) },
  { path: ".gitattributes", data: lines(20_000, (at) => `**/*${at}* linguist-generated`) },
  { path: ".gitmodules", data: lines(20_000, (at) => `[submodule "${at}"]\npath = m${at}\nurl = https://example.com/${at}`) },
  { path: "CODEOWNERS", data: lines(130, () => `${"a{999}".repeat(80)} @root1`) },
  { path: "LICENSE", data: fill("permission is hereby granted to any person obtaining a copy of the software ", 400_000) },
  { path: "README.md", data: fill("* a\n", 500_000) },
  { path: "texts/long.md", data: `# a\n\n${fill("A paragraph of *some* words with a [link](a.md).\n\n", 1_000_000)}` },
  { path: "texts/formulas.md", data: fill("$a^2$ ", 60_000) },
  { path: "texts/macros.md", data: `\`\`\`math\n\\def\\a{${fill("x", 900)}}${fill("\\a", 380)}\n\`\`\`\n` },
  { path: "texts/diagrams.md", data: fill("```mermaid\ngraph TD\na-->b\n```\n\n", 15_000) },
  { path: "texts/alerts.md", data: lines(15_000, (at) => `${fill("> ", 2 * (at % 90))}> [!NOTE]\n`) },
  { path: "texts/headings.md", data: fill("# a\n", 100_000) },
  { path: "texts/images.md", data: fill("![](http://a.b/c)\n", 200_000) },
  { path: "line.txt", data: fill("a b", 4_000_000) },
  { path: "line.js", data: fill("a+'b'(", 500_000) },
  { path: "lines.js", data: lines(40_000, (at) => `const a${at} = ${at};`) },
  { path: "blank.js", data: fill("\n", 100_000) },
  { path: "unseen.js", data: fill("\u200b", 50_000) },
  { path: "blamed.js", data: lines(29_000, (at) => `a${at} = 1;`) },
  { path: "table.csv", data: lines(9_999, () => "a,b") },
  { path: "quotes.csv", data: fill('"', 900_000) },
  { path: "list.org", data: fill("- a :: b\n", 500_000) },
  { path: "book.ipynb", data: notebook(20_000) },
  { path: "deep.ipynb", data: `{"nbformat":4,"cells":${"[".repeat(500_000)}` },
  { path: "lists.ipynb", data: `{"nbformat":4,"cells":[],"lists":[${"[],".repeat(190_000)}1]}` },
  ...Array.from({ length: 20_000 }, (_, at) => ({ path: `wide/${at}.txt`, data: "" })),
  ...Array.from({ length: 10_000 }, (_, at) => ({ path: `half/${at}.txt`, data: "" })),
  ...Array.from({ length: 400 }, (_, at) => ({ path: `${"deep/".repeat(at)}file`, data: "" })),
];

/** Files of a commit that changes much: many files, many lines, long lines, words in lines. */
const changedFiles = (): File[] => [
  ...Array.from({ length: 2_000 }, (_, at) => ({ path: `wide/${at}.txt`, data: "changed\n" })),
  { path: "lines.js", data: lines(40_000, (at) => `const b${at} = ${at + 1};`) },
  { path: "line.txt", data: fill("a c", 4_000_000) },
  { path: "line.js", data: fill("a-'c'(", 500_000) },
  { path: "words.txt", data: lines(2_000, (at) => fill(`w${at} x `, 500)) },
];

const person = "Mallory <mallory@example.com>";

/** Pushes the branches main, changes, merges and signed. */
export async function pushHostileRepository(git: GitClient, url: string): Promise<void> {
  const input: string[] = [];
  let time = 1_700_000_000;
  const commit = (ref: string, from: string | undefined, files: readonly File[], message = "change"): void => {
    time += 1;
    input.push(`commit ${ref}\ncommitter ${person} ${time} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`);
    if (from !== undefined) input.push(`from ${from}\n`);
    for (const { path, data } of files) input.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(data)}\n${data}\n`);
  };
  commit("refs/heads/main", undefined, hostileFiles());
  commit("refs/heads/changes", "refs/heads/main", [...changedFiles(), { path: "words.txt", data: lines(2_000, (at) => fill(`v${at} y `, 500)) }]);
  commit("refs/heads/changes", undefined, [{ path: "words.txt", data: lines(2_000, (at) => fill(`w${at} y `, 500)) }], fill("#1 @root1 ", 500_000));
  for (let at = 0; at < 30; at += 1)
    commit("refs/heads/messages", at === 0 ? "refs/heads/main" : undefined, [{ path: "a.txt", data: `${at}` }], fill(`<&"#${at} @root1 \n`, 4_000_000));
  await git.run(["init", "-q", "--bare", "hostile.git"]);
  const inside = ["-C", "hostile.git"];
  await git.run([...inside, "fast-import", "--quiet", "--done"], `${input.join("")}done\n`);

  const tree = await git.run([...inside, "rev-parse", "refs/heads/main^{tree}"]);
  const root = await git.run([...inside, "rev-parse", "refs/heads/main"]);
  await git.run([...inside, "fast-import", "--quiet", "--done"], parentCommits(root));
  const parentOids = (await git.run([...inside, "rev-list", "--max-count=10000", "refs/heads/line"])).split("\n");
  let head = root;
  for (let at = 0; at < 20; at++) {
    const all = [head, ...parentOids].map((oid) => `parent ${oid}\n`).join("");
    head = await git.run(
      [...inside, "hash-object", "-t", "commit", "-w", "--stdin"],
      `tree ${tree}\n${all}author ${person} ${time + at} +0000\ncommitter ${person} ${time + at} +0000\n\nmerge ${at}\n`,
    );
  }
  await git.run([...inside, "update-ref", "refs/heads/merges", head]);
  const signature = fill("-----BEGIN PGP SIGNATURE-----\n \n A\n", 1_000_000).replaceAll("\n", "\n ");
  const signed = await git.run(
    [...inside, "hash-object", "-t", "commit", "-w", "--stdin"],
    `tree ${tree}\nparent ${root}\nauthor ${person} ${time} +0000\ncommitter ${person} ${time} +0000\ngpgsig ${signature}\n\nsigned\n`,
  );
  await git.run([...inside, "update-ref", "refs/heads/signed", signed]);
  await git.run([...inside, "push", "-q", url, "refs/heads/main", "refs/heads/changes", "refs/heads/merges", "refs/heads/signed", "refs/heads/messages"]);
}

/** 10,000 commits in a line. */
const parentCommits = (root: string): string =>
  `${Array.from({ length: 10_000 }, (_, at) => `commit refs/heads/line\ncommitter ${person} ${1_690_000_000 + at} +0000\ndata 0\n${at === 0 ? `from ${root}\n` : ""}`).join("")}done\n`;
