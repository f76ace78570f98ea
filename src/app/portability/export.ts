import { join } from "node:path";
import { type Config, ConfigError } from "../../config/config.ts";
import { foldName } from "../../core/names.ts";
import type { Db } from "../../db/db.ts";
import { hiddenPrefix } from "../../features/repositories/refs/model.ts";
import { allRefs } from "../../features/repositories/refs/service/read.ts";
import { getStore } from "../../features/repositories/refs/service/stores.ts";
import type { ExportedFile } from "../../features/site/own-data/tar.ts";
import { storageError } from "../../git/objects/durable-fs.ts";
import type { GitStores } from "../../git/stores.ts";
import { type FileStores, openFileStores } from "../../storage/open.ts";
import { openConfiguredDatabase } from "../database.ts";
import { createLog } from "../log.ts";
import { openStores } from "../stores.ts";
import { requireEmpty, withManifest, writeArchive } from "./archive.ts";
import { writeBundle } from "./bundle.ts";
import {
  commentLines,
  commitCommentLines,
  issueLines,
  labelLines,
  listLargeFiles,
  listRepositories,
  milestoneLines,
  reactionLines,
  releaseLines,
  repositoryObject,
  reviewLines,
} from "./lines-store.ts";
import type { ExportedRepository, WantedFiles } from "./rows-store.ts";

export interface ExportDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly files: FileStores["files"];
}

/**
 * `hearth export OWNER[/NAME] FOLDER`: writes a repository, or each repository of an owner into a subfolder. A server may be running.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function exportData(config: Config, subject: string, folder: string, print: (text: string) => number): Promise<number> {
  const [owner = "", name, ...rest] = subject.split("/");
  if (owner === "" || name === "" || rest.length > 0) throw new ConfigError(`write OWNER or OWNER/NAME, not ${subject}`);
  const log = createLog("warn");
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await openConfiguredDatabase(config, { log, role: "tool" }), (database) => database.close());
  const fileStores = openFileStores(config);
  const { git } = await openStores(config, { db, fileStores, log, role: "tool" });
  opened.defer(() => git.close());
  const found = await listRepositories(db, foldName(owner), name === undefined ? undefined : foldName(name));
  if (found.length === 0) throw new ConfigError(name === undefined ? `${owner} has no repositories` : `the repository ${subject} does not exist`);
  await requireEmpty(folder);
  try {
    for (const repository of found) {
      const files = exportedFiles({ db, git, files: fileStores.files }, repository);
      await writeArchive(name === undefined ? join(folder, repository.name) : folder, { owner: repository.owner, name: repository.name }, files);
      print(`exported ${repository.owner}/${repository.name}\n`);
    }
  } catch (error) {
    throw storageError(error);
  }
  return 0;
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function* asBytes(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(line);
}

/** All repositories of an owner, each in a folder of its own. */
export async function* exportedRepositories(deps: ExportDeps, owner: string): AsyncGenerator<ExportedFile> {
  for (const repository of await listRepositories(deps.db, foldName(owner), undefined)) {
    const files = withManifest({ owner: repository.owner, name: repository.name }, exportedFiles(deps, repository));
    for await (const { path, content } of files) yield { path: `${repository.name}/${path}`, content };
  }
}

/** Rows first, so that the objects that are read later contain what they refer to. */
async function* exportedFiles({ db, git, files }: ExportDeps, repository: ExportedRepository): AsyncGenerator<ExportedFile> {
  const wanted: WantedFiles = new Map();
  const list = (path: string, lines: AsyncIterable<string>): ExportedFile => ({ path, content: asBytes(lines) });
  yield { path: "repository.json", content: once(`${JSON.stringify(await repositoryObject(db, repository))}\n`) };
  yield list("labels.jsonl", labelLines(db, repository));
  yield list("milestones.jsonl", milestoneLines(db, repository));
  yield list("issues.jsonl", issueLines(db, repository, wanted, "issues"));
  yield list("pulls.jsonl", issueLines(db, repository, wanted, "pulls"));
  yield list("comments.jsonl", commentLines(db, repository, wanted));
  yield list("reviews.jsonl", reviewLines(db, repository));
  yield list("reactions.jsonl", reactionLines(db, repository));
  yield list("commitcomments.jsonl", commitCommentLines(db, repository));
  yield list("releases.jsonl", releaseLines(db, repository, wanted));
  yield* exportedStore({ db, git }, repository.codeStoreId, "code.bundle");
  if (repository.wikiStoreId !== null) yield* exportedStore({ db, git }, repository.wikiStoreId, "wiki.bundle");
  for (const [digest, file] of wanted) yield { path: `files/${digest}`, content: files.read(file) };
  for (const { oid, file } of await listLargeFiles(db, repository)) yield { path: `lfs/${oid}`, content: files.read(file) };
}

async function* exportedStore({ db, git }: Pick<ExportDeps, "db" | "git">, storeId: number, path: string): AsyncGenerator<ExportedFile> {
  const view = await getStore(db, storeId);
  const refs = (await allRefs(db, storeId)).filter(({ name }) => !name.startsWith(hiddenPrefix));
  if (view === undefined || refs.length === 0) return;
  yield { path, content: writeBundle(git.store(storeId, view.format, 0), refs, view.headRef) };
}
