import { join } from "node:path";
import { type Config, ConfigError } from "../../config/config.ts";
import { foldName } from "../../core/names.ts";
import type { Db } from "../../db/db.ts";
import { hiddenPrefix } from "../../features/repositories/refs/model.ts";
import { allRefs } from "../../features/repositories/refs/service/read.ts";
import { getStore } from "../../features/repositories/refs/service/stores.ts";
import { storageError } from "../../git/objects/durable-fs.ts";
import type { GitStores } from "../../git/stores.ts";
import { type FileStores, openFileStores } from "../../storage/open.ts";
import { openConfiguredDatabase } from "../database.ts";
import { createLog } from "../log.ts";
import { openStores } from "../stores.ts";
import { type ArchiveWriter, createArchive, requireEmpty } from "./archive.ts";
import { writeBundle } from "./bundle.ts";
import {
  commentLines,
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

interface ExportDeps {
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
      await exportRepository(
        { db, git, files: fileStores.files },
        repository,
        await createArchive(name === undefined ? join(folder, repository.name) : folder),
      );
      print(`exported ${repository.owner}/${repository.name}\n`);
    }
  } catch (error) {
    throw storageError(error);
  }
  return 0;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Rows first, so that the objects that are read later contain what they refer to. */
async function exportRepository({ db, git, files }: ExportDeps, repository: ExportedRepository, archive: ArchiveWriter): Promise<void> {
  const wanted: WantedFiles = new Map();
  await archive.write("repository.json", once(`${JSON.stringify(await repositoryObject(db, repository))}\n`));
  await archive.write("labels.jsonl", labelLines(db, repository));
  await archive.write("milestones.jsonl", milestoneLines(db, repository));
  await archive.write("issues.jsonl", issueLines(db, repository, wanted, "issues"));
  await archive.write("pulls.jsonl", issueLines(db, repository, wanted, "pulls"));
  await archive.write("comments.jsonl", commentLines(db, repository, wanted));
  await archive.write("reviews.jsonl", reviewLines(db, repository));
  await archive.write("reactions.jsonl", reactionLines(db, repository));
  await archive.write("releases.jsonl", releaseLines(db, repository, wanted));
  await exportStore({ db, git }, repository.codeStoreId, "code.bundle", archive);
  if (repository.wikiStoreId !== null) await exportStore({ db, git }, repository.wikiStoreId, "wiki.bundle", archive);
  for (const [digest, file] of wanted) await archive.write(`files/${digest}`, files.read(file));
  for (const { oid, file } of await listLargeFiles(db, repository)) await archive.write(`lfs/${oid}`, files.read(file));
  await archive.end({ owner: repository.owner, name: repository.name });
}

async function exportStore({ db, git }: Pick<ExportDeps, "db" | "git">, storeId: number, path: string, archive: ArchiveWriter): Promise<void> {
  const view = await getStore(db, storeId);
  const refs = (await allRefs(db, storeId)).filter(({ name }) => !name.startsWith(hiddenPrefix));
  if (view === undefined || refs.length === 0) return;
  await archive.write(path, writeBundle(git.store(storeId, view.format, 0), refs, view.headRef));
}
