import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const own = "own data: the server has written it";
const small = "a value of at most 64 KiB";

/** Every file that parses or decompresses in one call on the event loop: the row of docs/security.md with its bound, or why it needs none. */
const reviewed: Readonly<Record<string, string>> = {
  "src/app/backup-state.ts": "manifests of the operator's backups",
  "src/app/backup-manifest.ts": "a backup that the operator restores, by a command of its own",
  "src/app/log-shipping/base.ts": "a base of the log that the operator restores, by a command of its own; a server reads those that it has written",
  "src/app/log-shipping/place.ts": "the head of the log, which servers of the operator write",
  "src/app/log-shipping/sealed.ts": "parts of the log that the operator restores, by a command of its own; a server reads the bases that it has written",
  "src/app/log-shipping/status.ts": own,
  "src/app/gitea-import/json.ts": "columns of the operator's Gitea, by a command of its own",
  "src/app/gitea-import/reviews.ts": "columns of the operator's Gitea, by a command of its own",
  "src/app/gitea-import/progress.ts": "the progress of an import, by a command of its own",
  "src/app/gitea-import/again.ts": "the sums and stores of an import before, by a command of its own",
  "src/app/portability/archive.ts": "the manifest of an export that the operator imports, by a command of its own",
  "src/app/portability/read-tracker.ts": "lines of an export that the operator imports, by a command of its own; each is bounded",
  "src/app/backups/read.ts": "the contents of a backup, by a command of its own",
  "src/app/backups/scheduled.ts": "the state of the backups, which the server wrote",
  "src/app/backups/store.ts": "descriptions of backups in a bucket, by a command of its own",
  "src/app/backups/write.ts": "a cache that earlier backups wrote, by a command of its own",
  "src/db/row-source.ts": "rows of a backup, by a command of its own",
  "src/db/copy-tables.ts": "the progress of a copy, by a command of its own",
  "src/db/channels.ts": "a notice of PostgreSQL: at most 8,000 bytes",
  "src/config/config.ts": "the operator's configuration, read once",
  "src/core/bounded-json.ts": "JSON of requests",
  "src/core/long-strings.ts": "JSON of requests",
  "src/http/read-body.ts": "JSON of requests",
  "src/http/content-encoding.ts": "Compression of large responses",
  "src/features/git/lfs/protocol.ts": "Git LFS pointers and batch requests",
  "src/features/repositories/migrations/service/foreign-server.ts": "JSON of other servers in migrations",
  "src/features/repositories/migrations/service/large-files.ts": "JSON of other servers in migrations",
  "src/features/repositories/contents/notebook.ts": "Notebooks",
  "src/git/receive/small-pack.ts": "Packs with deltas that expand to large objects",
  "src/features/repositories/contents/api/contents.ts": `${small}: it comes in the address`,
  "src/features/accounts/oauth2/token-request.ts": `${small}: the limit of the route`,
  "src/features/accounts/auth-sources/service/oidc.ts": `${small}: a sealed cookie`,
  "src/features/accounts/registration/service/register.ts": `${small}: a sealed invitation in an address`,
  "src/features/git/lfs/service/token.ts": `${small}: a sealed token in a header`,
  "src/features/collaboration/attachments/service/staged.ts": "a sealed form field: at most 4,096 characters",
  "src/features/repositories/contents/service/upload.ts": "a sealed form field: 200 files",
  "src/features/integrations/hooks/formats/body.ts": "Webhook payloads",
  "src/features/integrations/hooks/present.ts": "Webhook payloads",
  "src/features/integrations/hooks/views/hooks.tsx": "Webhook payloads",
  "src/features/actions/runs/artifacts/api/results.ts": `${small}: the limit of messages about artifacts`,
  "src/features/actions/runs/artifacts/signed-links.ts": `${small}: a sealed parameter of an address`,
  "src/features/actions/runs/api/connect.ts": `${small}: the limit of JSON in the protocol of runners`,
  ...Object.fromEntries(
    [
      "src/features/actions/runners/model.ts",
      "src/features/actions/runs/language/expressions.ts",
      "src/features/actions/runs/service/called-files.ts",
      "src/features/actions/runs/service/calls.ts",
      "src/features/actions/runs/service/github-context.ts",
      "src/features/actions/runs/service/job-token.ts",
      "src/features/actions/runs/service/task-secrets.ts",
      "src/features/actions/runs/identity/service/keys.ts",
      "src/features/actions/runs/service/tasks.ts",
      "src/features/actions/runs/store/jobs.ts",
      "src/features/actions/runs/store/queue.ts",
      "src/features/actions/runs/store/runs.ts",
      "src/features/actions/runs/store/tasks.ts",
      "src/features/actions/runs/store/workflows.ts",
      "src/ssh/host-keys.ts",
      "src/jobs/queue.ts",
      "src/events/store.ts",
      "src/http/idempotency.ts",
      "src/git/objects/pack-writer.ts",
      "src/features/accounts/auth-sources/store/sources.ts",
      "src/features/accounts/avatars/png-writer.ts",
      "src/features/accounts/keys/store/gpg-keys.ts",
      "src/features/accounts/keys/store/signers.ts",
      "src/features/accounts/oauth2/store/applications.ts",
      "src/features/collaboration/issues/conversation/comment-payload.ts",
      "src/features/collaboration/issues/planning/store/bulk-changes.ts",
      "src/features/integrations/hooks/service/compose.ts",
      "src/features/integrations/hooks/store/hooks.ts",
      "src/features/integrations/hooks/store/messages.ts",
      "src/features/repositories/commits/service/changes.ts",
      "src/features/repositories/commits/store.ts",
      "src/features/repositories/migrations/service/sealed-input.ts",
      "src/features/repositories/migrations/store.ts",
      "src/features/repositories/mirrors/service/remote.ts",
      "src/features/repositories/protections/store.ts",
      "src/features/repositories/refs/store/packs.ts",
      "src/features/repositories/repos/settings.ts",
      "src/features/repositories/repos/store/located.ts",
      "src/features/site/admin/notices/store.ts",
      "src/features/site/audit/store.ts",
      "src/features/site/drafts/store.ts",
      "src/features/site/mail/service/send.ts",
    ].map((path) => [path, own]),
  ),
};

/** The markup worker has limits of time and memory of its own. */
const parsers =
  /\bJSON\.parse\(|\bparse(?:Bounded|Small)Json\(|\b(?:inflate|deflate|gunzip|gzip|brotli\w*|unzip|inflateRaw|deflateRaw)Sync\(|\bURLSearchParams\(text\)|\bnew DOMParser\(/;

test("every parser on the event loop is reviewed, with its bound in docs/security.md or the reason why it needs none", () => {
  const sources = globSync("src/**/*.{ts,tsx}").filter((path) => !/\.test\.tsx?$/.test(path) && !path.startsWith("src/ui/scripts/"));
  const found = sources.filter((path) => parsers.test(readFileSync(path, "utf8"))).sort();
  expect(found.filter((path) => !Object.hasOwn(reviewed, path))).toEqual([]);
  expect(Object.keys(reviewed).filter((path) => !found.includes(path))).toEqual([]);
});

test("docs/security.md has the row of each reviewed parser that needs a bound", () => {
  const rows = readFileSync("docs/security.md", "utf8")
    .split("\n")
    .map((line) => line.split(" | ", 1)[0] ?? "");
  const bounds = Object.values(reviewed).filter((text) => /^[A-Z]/.test(text));
  expect(bounds.filter((title) => !rows.some((row) => row.startsWith(`| ${title}`)))).toEqual([]);
  expect(bounds.length).toBeGreaterThan(5);
});
