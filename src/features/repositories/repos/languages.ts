/** Which ending, file name or interpreter stands for which language. Made by tools/generate, loaded on first use. */
interface LanguageTable {
  readonly extensions: ReadonlyMap<string, string>;
  readonly filenames: ReadonlyMap<string, string>;
  readonly interpreters: ReadonlyMap<string, string>;
}

export interface SizedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Bytes by language, the largest first. */
export type LanguageSizes = readonly { readonly language: string; readonly bytes: number }[];

let table: Promise<LanguageTable> | undefined;

async function loadTable(): Promise<LanguageTable> {
  const { default: data } = await import("./data/languages.json", { with: { type: "json" } });
  const mapOf = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries));
  return { extensions: mapOf(data.extensions), filenames: mapOf(data.filenames), interpreters: mapOf(data.interpreters) };
}

/** Longest ending that is looked for, in parts: `.a.b.c` counts, deeper ones are part of the name. */
const maxEndingParts = 3;

/**
 * The programming or markup language of a file, by its name, its ending, or the interpreter in its first line.
 * @param firstBytes the start of the file, for those whose name says nothing
 * @returns undefined for data, prose and what is not known
 */
export async function languageOf(path: string, firstBytes?: Buffer): Promise<string | undefined> {
  table ??= loadTable();
  return find(await table, path, firstBytes);
}

function find({ extensions, filenames, interpreters }: LanguageTable, path: string, firstBytes?: Buffer): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const named = filenames.get(name);
  if (named !== undefined) return named;
  const parts = name.toLowerCase().split(".").slice(1).slice(-maxEndingParts);
  for (let from = 0; from < parts.length; from++) {
    const language = extensions.get(`.${parts.slice(from).join(".")}`);
    if (language !== undefined) return language;
  }
  return firstBytes === undefined || parts.length > 0 ? undefined : interpreters.get(interpreterOf(firstBytes) ?? "");
}

/** The program that a first line `#!` names: `python3` of both `/usr/bin/python3` and `/usr/bin/env -S python3 -u`. */
function interpreterOf(firstBytes: Buffer): string | undefined {
  const line = /^#![ \t]*([^\r\n]{1,200})/.exec(firstBytes.subarray(0, 256).toString("latin1"))?.[1];
  const words = line?.split(/[ \t]+/).map((word) => word.slice(word.lastIndexOf("/") + 1)) ?? [];
  return words[0] === "env" ? words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) : words[0];
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Folders of what somebody else wrote, a program made, documents or tests: they say nothing about what a repository is written in. In lower case. */
const excludedFolders = words(`
  node_modules bower_components jspm_packages vendor vendors third_party third-party thirdparty 3rd_party 3rd-party 3rdparty external externals extern extlib
  carthage pods site-packages dist cache .obsidian .osx .vscode .idea .github .gitlab .gitea .forgejo
  generated gen __generated__
  doc docs documentation javadoc man example examples sample samples demo demos
  fixture fixtures testdata __fixtures__ __snapshots__`);
/** The same, where the folder alone says too little. */
const excludedPairs = words(`
  godeps/_workspace .yarn/releases .yarn/plugins .yarn/sdks .yarn/unplugged wwwroot/lib inst/doc
  spec/data specs/data test/data tests/data test/resources tests/resources`);

/** Files of the same kinds. */
const excludedFiles = [
  /^(?:gradlew(?:\.bat)?|mvnw(?:\.cmd)?|configure|config\.(?:guess|sub)|install-sh|ltmain\.sh|aclocal\.m4|libtool\.m4|waf|run\.n|fabfile\.py|\.pnp\.[cm]?js)$/,
  /[.-]min\.(?:js|css|mjs)$/i,
  /^(?:jquery(?:[-.][\w.-]+)?|bootstrap(?:[-.][\w.-]+)?|modernizr(?:[-.][\w.-]+)?|require|prototype|mootools.*|d3(?:\.v\d+)?|react(?:-.*)?|angular.*|three|ember(?:-data)?.*|font-?awesome|normalize|reset|animate|select2.*|fontello.*)\.(?:js|css|less|scss|styl)$/i,
  /[-_.](?:generated|g|gen|designer|pb|bundle|chunk)\.\w+$/i,
  /(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:h|cc|go)|\.pb\.gw\.go|_string\.go|\.pb-c\.[ch]|_grpc_pb\.js|\.xcworkspacedata|\.nib|\.snap|\.(?:js|css)\.map)$/,
  /^(?:zz_generated\..+|mock_.+\.go|.+_mock\.go|bindata\.go|wire_gen\.go)$/,
  /^(?:readme|changelog|changes|contributing|copying|install|licen[cs]e)(?:[.-].*)?$/i,
];

/** Whether a file is the repository's own writing, as far as its path tells. */
export function isCounted(path: string): boolean {
  const segments = path.toLowerCase().split("/");
  for (let at = 0; at < segments.length - 1; at++) {
    const folder = segments[at] ?? "";
    if (excludedFolders.has(folder) || (at > 0 && excludedPairs.has(`${segments[at - 1]}/${folder}`))) return false;
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !excludedFiles.some((pattern) => pattern.test(name));
}

/** Endings of headers that several languages share: a repository's sources decide. */
const sharedHeader = /\.h$/i;
const headerLanguages = ["C++", "Objective-C", "C"];

/** How many bytes a repository has of each programming and markup language. Files that are not the repository's own writing are left out. */
export async function summarise(files: readonly SizedFile[]): Promise<LanguageSizes> {
  table ??= loadTable();
  const known = await table;
  const sizes = new Map<string, number>();
  const add = (language: string, bytes: number) => sizes.set(language, (sizes.get(language) ?? 0) + bytes);
  let headerBytes = 0;
  for (const { path, sizeBytes } of files) {
    if (sizeBytes === 0 || !isCounted(path)) continue;
    if (sharedHeader.test(path)) headerBytes += sizeBytes;
    else {
      const language = find(known, path);
      if (language !== undefined) add(language, sizeBytes);
    }
  }
  if (headerBytes > 0) {
    const [largest = "C"] = headerLanguages.filter((language) => sizes.has(language)).sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
    add(largest, headerBytes);
  }
  return [...sizes].map(([language, bytes]) => ({ language, bytes })).sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1));
}
