import { isForgeError, malformed, notFound } from "../../../../core/errors.ts";
import { isArchivePrefix } from "../../../../git/history/archive.ts";
import { createPktReader, encodePkt, flushPkt, pktText } from "../../../../git/send/pkt-line.ts";
import { encodeSideBand, sideBand, terminalText } from "../../../../git/send/side-band.ts";
import { type ArchiveRequest, openFiles, takeArchiveRefs } from "../../../repositories/contents/service/archive.ts";
import { requireCommit } from "../../../repositories/contents/service/viewpoint.ts";
import { shortName } from "../../../repositories/refs/model.ts";
import { resolveRev } from "../../../repositories/refs/service/resolve.ts";
import { getStore } from "../../../repositories/refs/service/stores.ts";
import type { GitTarget } from "../git-target.ts";
import { type FetchDeps, fetchedStore } from "./fetch.ts";

/** The formats of `git archive`, by command line name. */
const formats = { tar: "tar", tgz: "tar.gz", "tar.gz": "tar.gz", zip: "zip" } as const;
type FormatName = keyof typeof formats;
const isFormat = (text: string): text is FormatName => Object.hasOwn(formats, text);

/** The same limit as git's. */
const maxArguments = 64;
const maxBytes = 64 * 1024;

/** The arguments of `git archive` that the server receives. */
export interface ArchiveArguments {
  readonly isList: boolean;
  readonly format: FormatName;
  readonly prefix: string;
  readonly rev: string;
  /** The part after the colon of `rev:directory`. */
  readonly directory: string | undefined;
  readonly paths: readonly string[];
}

type Start = Pick<ArchiveRequest, "enter" | "signal">;

/**
 * Handles `git archive --remote` (git-upload-archive): reads the arguments, then sends the archive in a side band. Refs come from
 * the database. A refusal is sent in the protocol.
 * @throws ForgeError `malformed` for input that violates the protocol
 */
export async function* answerArchive(
  deps: FetchDeps,
  target: GitTarget,
  { input, ...start }: Start & { readonly input: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array, void, undefined> {
  const given = await readArguments(input);
  let archive: AsyncIterable<Uint8Array>;
  try {
    archive = await openArchive(deps, target, parseArchiveArguments(given), start);
  } catch (error) {
    if (!isForgeError(error)) throw error;
    yield encodePkt(`NACK ${refusalText(error)}\n`);
    return;
  }
  yield Buffer.concat([encodePkt("ACK\n"), flushPkt]);
  try {
    for await (const chunk of archive) yield* encodeSideBand(sideBand.data, chunk);
  } catch (error) {
    if (!isForgeError(error)) throw error;
    yield* encodeSideBand(sideBand.fatal, `${refusalText(error)}\n`);
  }
  yield flushPkt;
}

const refusalText = ({ message, options }: Error & { readonly options: { readonly details?: readonly string[] } }): string =>
  terminalText([message, ...(options.details ?? [])].join(": ")).replaceAll("\n", " ");

async function readArguments(input: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const reader = createPktReader(input, { maxBytes });
  const given: string[] = [];
  for (let packet = await reader.next(); packet?.kind === "data"; packet = await reader.next()) {
    const text = pktText(packet.data);
    if (!text.startsWith("argument ")) throw malformed("expected an argument of git archive");
    if (given.length === maxArguments) throw malformed(`git archive accepts at most ${maxArguments} arguments`);
    given.push(text.slice("argument ".length));
  }
  return given;
}

/**
 * Parses the command line arguments of `git archive`.
 * @throws ForgeError `malformed` for an unknown option or format and for a missing revision
 */
export function parseArchiveArguments(given: readonly string[]): ArchiveArguments {
  const words: string[] = [];
  const options = { format: "tar", prefix: "" };
  let isList = false;
  const rest = given[Symbol.iterator]();
  for (const word of rest) {
    const [, name, value] = /^--(format|prefix)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "format" || name === "prefix") options[name] = value ?? rest.next().value ?? "";
    else if (word === "-l" || word === "--list") isList = true;
    else if (word === "--") words.push(...rest);
    // Compression level and progress do not affect the files.
    else if (/^-(?:\d|v|-verbose|-no-verbose)$/.test(word)) continue;
    else if (word.startsWith("-")) throw malformed(`this server does not support the option ${word} of git archive`);
    else words.push(word);
  }
  const { format, prefix } = options;
  if (!isFormat(format)) throw malformed(`this server does not support the archive format ${format}: use ${Object.keys(formats).join(", ")}`);
  if (!isArchivePrefix(prefix)) throw malformed("the prefix has control characters or is too long");
  const [treeish = "", ...paths] = words;
  if (treeish === "" && !isList) throw malformed("name a branch, tag or commit: git archive --remote=ADDRESS main");
  const [, rev = "", directory] = /^([^:]*)(?::(.*))?$/s.exec(treeish) ?? [];
  const isWhole = paths.some((path) => path === "." || path === "./");
  return { isList, format, prefix, rev, directory: cleanPath(directory) || undefined, paths: isWhole ? [] : paths.map((path) => cleanPath(path)) };
}

/** `./src/` means `src`. */
const cleanPath = (path = ""): string => path.replace(/^(?:\.?\/+)+|\/+$/g, "");

async function openArchive(deps: FetchDeps, target: GitTarget, wanted: ArchiveArguments, start: Start): Promise<AsyncIterable<Uint8Array>> {
  if (wanted.isList) return listOf(Object.keys(formats));
  const { rev, directory, paths, prefix, format } = wanted;
  const store = fetchedStore(deps, target);
  const head = rev === "HEAD" ? (await getStore(deps.db, store.id))?.headRef : undefined;
  const found = head === undefined ? await resolveRev(deps, store, rev) : await resolveRev(deps, store, shortName(head), ["branch"]);
  if (found === undefined) throw notFound(`unrecognized repository reference: ${rev}`);
  const commit = await requireCommit(store, found.commitOid);
  // Only archives of a commit contain ref names (export-subst).
  using refs = directory === undefined ? await takeArchiveRefs(deps, store, commit) : undefined;
  return await openFiles(deps, store, commit, { format: formats[format], prefix, paths, refs, ...start, ...(directory !== undefined && { directory }) });
}

async function* listOf(names: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(names.map((name) => `${name}\n`).join(""));
}
