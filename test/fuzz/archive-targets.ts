import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { openArchive } from "../../src/app/portability/archive.ts";
import { readBundle } from "../../src/app/portability/bundle.ts";
import { readRepository } from "../../src/app/portability/read-tracker.ts";
import { ConfigError } from "../../src/config/config.ts";
import { isForgeError } from "../../src/core/errors.ts";
import { readSmallPack } from "../../src/git/receive/small-pack.ts";
import { rawPack } from "../kit/git.ts";
import { texts } from "./seeds.ts";
import { type FuzzTarget, magnitude } from "./target.ts";

const oid = "0123456789abcdef0123456789abcdef01234567";
const ann = { id: 5, login: "ann", full_name: "Ann", email: "ann@example.org" };
const times = { created_at: "2026-01-02T03:04:05Z", updated_at: "2026-01-02T03:04:05Z", closed_at: null };
const issue = {
  ...times,
  number: 1,
  title: "A bed",
  body: "Beans",
  state: "open",
  user: ann,
  labels: [{ id: 7, name: "soil" }],
  milestone: { id: 3, title: "Spring" },
  assignees: [ann],
  assets: [{ name: "a.txt", browser_download_url: `files/${"a".repeat(64)}`, size: 3, uuid: "x", download_count: 1 }],
};
const branch = (ref: string) => ({ ref, sha: oid, repo: { id: 1 } });
const pull = {
  ...issue,
  number: 2,
  head: branch("topic"),
  base: branch("main"),
  merged: true,
  merged_at: times.created_at,
  merged_by: ann,
  merge_base: oid,
  merge_commit_sha: oid,
};
const line = { id: 9, path: "a.txt", position: 1, original_position: 0, commit_id: oid, diff_hunk: "@@ -1 +1 @@\n-a\n+b", body: "x", user: ann, ...times };
const review = {
  id: 8,
  state: "APPROVED",
  body: "y",
  commit_id: oid,
  user: ann,
  pull_request_url: "x/pulls/2",
  submitted_at: times.created_at,
  comments: [line],
};

/** The files of an export, in one input: a line with the name of each file, and its content. */
const files: Readonly<Record<string, readonly object[]>> = {
  "repository.json": [{ description: "d", website: "w", private: false, default_branch: "main", topics: ["a"], last_issue_number: 4 }],
  "labels.jsonl": [{ id: 7, name: "soil", color: "00aabb", description: "", exclusive: true, is_archived: false }],
  "milestones.jsonl": [{ id: 3, title: "Spring", state: "open", due_on: times.created_at, ...times }],
  "issues.jsonl": [issue],
  "pulls.jsonl": [pull],
  "comments.jsonl": [{ id: 4, issue_url: "x/issues/1", body: "c", user: ann, assets: issue.assets, ...times }],
  "reviews.jsonl": [review],
  "reactions.jsonl": [{ issue_url: "x/issues/1", comment_id: 4, content: "heart", user: ann, ...times }],
  "releases.jsonl": [
    { id: 6, tag_name: "v1", name: "One", body: "n", draft: false, prerelease: true, author: ann, assets: issue.assets, published_at: null, ...times },
  ],
};
const joined = (chosen: Readonly<Record<string, readonly object[]>>): string =>
  Object.entries(chosen)
    .map(([name, rows]) => `== ${name}\n${rows.map((row) => `${JSON.stringify(row)}\n`).join("")}`)
    .join("");

const digest = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");
const listed = { path: "issues.jsonl", bytes: 3, sha256: digest("{}\n") };
const manifest = JSON.stringify({ format: "hearth-export", version: 1, repository: { owner: "ann", name: "beds" }, files: [listed] });

/** A folder of its own, because targets run beside each other. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), `hearth-fuzz-${process.pid}-${randomUUID()}`);
  mkdirSync(folder);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Parsers of exports, which `hearth import` reads. */
export const archiveTargets: readonly FuzzTarget[] = [
  {
    name: "manifests of exports",
    seeds: texts(manifest),
    rejections: [ConfigError],
    run: (input) =>
      inFolder(async (folder) => {
        writeFileSync(join(folder, "hearth-export.json"), input);
        writeFileSync(join(folder, "issues.jsonl"), "{}\n");
        const { files: read } = await openArchive(folder);
        return `${read.size}`;
      }),
  },
  {
    name: "lines of exports",
    seeds: texts(joined(files), ...Object.entries(files).map(([name, rows]) => joined({ [name]: rows }))),
    rejections: [ConfigError],
    run: (input) =>
      inFolder(async (folder) => {
        const parts = input.toString("latin1").split(/^== /m);
        const present = new Map<string, { readonly path: string; readonly bytes: number; readonly sha256: string }>();
        for (const part of parts) {
          const [name = "", ...rest] = part.split("\n");
          if (!Object.hasOwn(files, name)) continue;
          const content = Buffer.from(rest.join("\n"), "latin1");
          writeFileSync(join(folder, name), content);
          present.set(name, { path: name, bytes: content.length, sha256: digest(content) });
        }
        const { tracker, accounts } = await readRepository({ folder, repository: { owner: "ann", name: "beds" }, files: present });
        const sizes = [
          tracker.labels,
          tracker.milestones,
          tracker.issues,
          tracker.pulls,
          tracker.comments,
          tracker.reviews,
          tracker.reactions,
          tracker.releases,
        ];
        for (const { number } of [...tracker.issues, ...tracker.pulls]) if (!Number.isSafeInteger(number) || number < 1) throw new Error(`number ${number}`);
        if (JSON.stringify(tracker).includes("\\u0000")) throw new Error("a text has U+0000, which PostgreSQL does not store");
        return `${sizes.map(({ length }) => magnitude(length)).join("")} ${accounts.size}`;
      }),
  },
  {
    name: "bundles of git",
    seeds: [
      Buffer.concat([Buffer.from(`# v2 git bundle\n${oid} HEAD\n${oid} refs/heads/main\n\n`), rawPack([{ type: 3, data: Buffer.from("beans") }])]),
      Buffer.from(`# v3 git bundle\n@object-format=sha256\n${oid.slice(0, 32).repeat(2)} refs/heads/main\n\nPACK`),
    ],
    rejections: [ConfigError],
    run: (input) =>
      inFolder(async (folder) => {
        const path = join(folder, "code.bundle");
        writeFileSync(path, input);
        const bundle = await readBundle(path, "main");
        const pack = await buffer(bundle.pack());
        const small = await readSmallPack(pack, bundle.format, async () => undefined).catch((error: unknown) => {
          if (isForgeError(error)) return undefined;
          throw error;
        });
        return `${bundle.format} ${magnitude(bundle.refs.size)} ${bundle.headRef !== undefined} ${small?.length ?? "left to git"}`;
      }),
  },
];
