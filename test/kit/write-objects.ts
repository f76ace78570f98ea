import { ForgeError } from "../../src/core/errors.ts";
import { newBlob, newCommit, newTree } from "../../src/git/objects/format.ts";
import { writeFirstObjects, writeObjects } from "../../src/git/objects/write.ts";
import { openGitStores } from "../../src/git/stores.ts";
import { silentLog } from "./logs.ts";

/**
 * For tests that interfere with a process while it writes: `write-objects.ts ROOT single|pack|first` writes a commit to store 1 (which is
 * new with `first`, and has it as its only branch) and prints its id when it is durable, or the error.
 */
const [root = "", kind = ""] = process.argv.slice(2);
const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };

try {
  const stores = await openGitStores({ root, log: silentLog, searchPath: process.env.PATH ?? "" });

  const store = stores.store(1, "sha1");
  const blob = newBlob("sha1", Buffer.from(`content of a ${kind}\n`));
  const tree = newTree("sha1", [{ name: "file", mode: "100644", oid: blob.oid }]);
  const commit = newCommit("sha1", { treeOid: tree.oid, parentOids: [], author: person, committer: person, message: kind });
  const objects = [blob, tree, commit];
  const name = "refs/heads/trunk";
  if (kind === "pack") await writeObjects(store, objects);
  else if (kind === "first") await writeFirstObjects(store, objects, { headRef: name, slices: [[{ name, oid: commit.oid, peeledOid: "" }]] });
  else for (const object of objects) await writeObjects(store, [object]);
  process.stdout.write(`${commit.oid}\n`);
  await stores.close();
} catch (error) {
  if (!(error instanceof ForgeError)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
}
