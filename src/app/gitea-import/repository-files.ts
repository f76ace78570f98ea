import { type Batch, newBatch } from "../../db/row-batch.ts";
import type { Conversion } from "./context.ts";
import { attachmentPath, type FileCopier, type KeptFile, lfsPath } from "./files.ts";
import type { RepositoryPlan } from "./repositories.ts";
import type { Known } from "./repository-relations.ts";
import { type ForeignRow, flagOf, knownId, millisOf, numberOf, textOf } from "./source.ts";

export interface ConvertedFiles {
  readonly batch: Batch;
  readonly files: readonly KeptFile[];
  readonly bytes: number;
}

/** Git LFS objects and locks. */
export async function convertLfs({ source, report }: Conversion, plan: RepositoryPlan, known: Known, copier: FileCopier): Promise<ConvertedFiles> {
  const batch = newBatch();
  const files: KeptFile[] = [];
  const oids = new Set<string>();
  for (const row of await source.database.all("select * from lfs_meta_object where repository_id = ? order by id", [plan.id])) {
    const oid = textOf(row.oid);
    if (oids.has(oid)) continue;
    oids.add(oid);
    const kept = /^[0-9a-f]{64}$/.test(oid) ? await copier.upload(lfsPath(source.places.lfs, oid), oid) : undefined;
    if (kept === undefined || (kept.digest !== "" && kept.digest !== oid)) {
      report.without("Git LFS objects that are missing or damaged", `${oid} of ${plan.shownAs}`);
      continue;
    }
    files.push(kept);
    batch.add("lfs_objects", { repo_id: plan.id, oid, size_bytes: kept.sizeBytes, created_ms: millisOf(row.created_unix) });
  }
  const paths = new Set<string>();
  for (const row of await source.database.all("select * from lfs_lock where repo_id = ? order by id", [plan.id])) {
    const path = textOf(row.path);
    if (known.accounts.kinds.get(numberOf(row.owner_id)) !== "user" || paths.has(path)) report.without("Git LFS locks of missing accounts", path);
    else batch.add("lfs_locks", { id: numberOf(row.id), repo_id: plan.id, account_id: numberOf(row.owner_id), path, created_ms: timeOf(row) });
    paths.add(path);
  }
  report.count("Git LFS objects", batch.size("lfs_objects"));
  report.count("Git LFS locks", batch.size("lfs_locks"));
  return { batch, files, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** SQLite stores the time of a lock as text, PostgreSQL as a time. */
function timeOf({ created }: ForeignRow): number {
  const ms = typeof created === "number" ? created * 1_000 : Date.parse(textOf(created));
  return Number.isFinite(ms) ? ms : 0;
}

export interface ConvertedReleases extends ConvertedFiles {
  readonly count: number;
}

/** Releases with their files. A tag without a release is only a ref. */
export async function convertReleases(
  { source, report }: Conversion,
  plan: RepositoryPlan,
  known: Known,
  { copier, tags }: { readonly copier: FileCopier; readonly tags: ReadonlySet<string> },
): Promise<ConvertedReleases> {
  const batch = newBatch();
  const ids = new Set<number>();
  const used = new Set<string>();
  for (const row of await source.database.all(`select * from "release" where repo_id = ? order by id`, [plan.id])) {
    const tag = textOf(row.tag_name);
    if (flagOf(row.is_tag) === 1) continue;
    if (used.has(tag)) {
      report.without("second releases of a tag", `${tag} of ${plan.shownAs}`);
      continue;
    }
    used.add(tag);
    ids.add(numberOf(row.id));
    const isDraft = flagOf(row.is_draft) === 1 || !tags.has(tag);
    if (isDraft && flagOf(row.is_draft) === 0) report.without("releases without their tag, which become drafts", `${tag} of ${plan.shownAs}`);
    batch.add("releases", {
      id: numberOf(row.id),
      repo_id: plan.id,
      tag_name: tag,
      target: textOf(row.target),
      title: textOf(row.title),
      note: textOf(row.note),
      is_draft: isDraft ? 1 : 0,
      is_prerelease: flagOf(row.is_prerelease),
      author_id: knownId(row.publisher_id, known.accounts.kinds),
      original_author: textOf(row.original_author),
      original_author_id: numberOf(row.original_author_id),
      created_ms: millisOf(row.created_unix),
      published_ms: millisOf(row.created_unix),
    });
  }
  report.count("releases", ids.size);
  const rows = await source.database.all("select * from attachment where repo_id = ? and release_id > 0 order by id", [plan.id]);
  const attachments = await convertAttachments({ source, report }, rows, {
    plan,
    known,
    copier,
    placeOf: (row) => (ids.has(numberOf(row.release_id)) ? { release_id: numberOf(row.release_id) } : undefined),
  });
  batch.append(attachments.batch);
  return { ...attachments, batch, count: batch.tables.get("releases")?.filter((row) => (row as { is_draft: number }).is_draft === 0).length ?? 0 };
}

interface AttachmentPlace {
  readonly release_id?: number;
  readonly issue_id?: number;
  readonly comment_id?: number | null;
}

interface Placing {
  readonly plan: RepositoryPlan;
  readonly known: Known;
  readonly copier: FileCopier;
  /** The row that an attachment belongs to; undefined if it is missing. */
  readonly placeOf: (row: ForeignRow) => AttachmentPlace | undefined;
}

export async function convertAttachments(
  { source, report }: Pick<Conversion, "source" | "report">,
  rows: readonly ForeignRow[],
  { plan, known, copier, placeOf }: Placing,
): Promise<ConvertedFiles> {
  const batch = newBatch();
  const files: KeptFile[] = [];
  for (const row of rows) {
    const [uuid, name] = [textOf(row.uuid), textOf(row.name)];
    const place = placeOf(row);
    const kept = place === undefined || !/^[0-9a-f-]{36}$/.test(uuid) ? undefined : await copier.upload(attachmentPath(source.places.attachments, uuid), uuid);
    if (place === undefined || kept === undefined) {
      report.without("attachments without a text or without a file", `${name} of ${plan.shownAs}`);
      continue;
    }
    files.push(kept);
    batch.add("attachments", {
      id: numberOf(row.id),
      uuid,
      repo_id: plan.id,
      issue_id: null,
      comment_id: null,
      release_id: null,
      ...place,
      uploader_id: knownId(row.uploader_id, known.accounts.kinds),
      name,
      size_bytes: kept.sizeBytes,
      digest: kept.digest,
      download_count: numberOf(row.download_count),
      created_ms: millisOf(row.created_unix),
    });
  }
  report.count("attachments", batch.size("attachments"));
  return { batch, files, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
