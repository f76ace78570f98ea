import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { findEntry, readBlob } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { isText } from "../text-detection.ts";
import { splitViewedPath, type ViewpointDeps } from "./viewpoint.ts";

/** A text file of a branch that can be edited. */
export interface EditableFile {
  readonly branch: string;
  readonly path: string;
  readonly oid: Oid;
  readonly text: string;
  /** All lines end with CRLF. */
  readonly hasCrLf: boolean;
}

/** Larger files cannot be edited in the browser. */
const maxEditedBytes = 1024 * 1024;

/** Splits a path into a branch and the rest. @throws ForgeError `not_found` */
export async function splitBranchPath(deps: ViewpointDeps, repository: RepositorySubject, filepath: string) {
  const viewed = await splitViewedPath(deps, repository, filepath, ["branch"]);
  if (viewed === undefined) throw notFound();
  return { branch: viewed.at.rev, treeOid: viewed.at.commit.treeOid, path: viewed.path };
}

/** Whether content survives a form round trip; bytes that are not UTF-8 would not. */
const survives = (data: Buffer): boolean => isText(data) && Buffer.from(data.toString("utf8"), "utf8").equals(data);

/** @throws ForgeError `not_found`; `invalid` for content that is not text or too large */
export async function readEditable(deps: ViewpointDeps, repository: RepositorySubject, filepath: string): Promise<EditableFile> {
  const { branch, treeOid, path } = await splitBranchPath(deps, repository, filepath);
  const store = codeStore(deps, repository);
  const entry = path === "" ? undefined : await findEntry(store, treeOid, path);
  if (entry === undefined || !entry.mode.startsWith("100")) throw notFound();
  const data = (await readBlob(store, entry.oid, maxEditedBytes))?.data;
  if (data === undefined || !survives(data)) throw invalid("only text files up to 1 MiB can be edited here", { reason: "not_editable" });
  const text = data.toString("utf8");
  return { branch, path, oid: entry.oid, text, hasCrLf: text.includes("\r\n") && !/(?<!\r)\n/.test(text) };
}

/** A file or directory to be deleted. */
export interface Deletable extends Omit<EditableFile, "text" | "hasCrLf"> {
  readonly isFolder: boolean;
}

/** The file at a path of a branch, of any content, or the directory with everything in it. @throws ForgeError `not_found` */
export async function findDeletable(deps: ViewpointDeps, repository: RepositorySubject, filepath: string): Promise<Deletable> {
  const { branch, treeOid, path } = await splitBranchPath(deps, repository, filepath.replace(/\/+$/, ""));
  const entry = path === "" ? undefined : await findEntry(codeStore(deps, repository), treeOid, path);
  if (entry === undefined) throw notFound();
  return { branch, path, oid: entry.oid, isFolder: entry.mode === "040000" };
}
