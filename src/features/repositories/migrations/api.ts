import { readId } from "../../../core/ids.ts";
import type { Urls } from "../../../core/urls.ts";
import { signedIn } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { MigrateRepoOptions, Migration } from "../../../wire/migration.ts";
import { Repository } from "../../../wire/repository.ts";
import { presentRepository } from "../repos/present.ts";
import type { MigrationInput } from "./migration-input.ts";
import { presentMigration } from "./present.ts";
import { type MigrateDeps, migrateRepository } from "./service/start.ts";
import { cancelMigration, getMigration, listMigrations } from "./service/watch.ts";
import type { TrackerParts } from "./tracker.ts";

const own = { tag: "user", access: signedIn, scope: "user" } as const;

/** Routes for migrating repositories from other servers. */
export function migrationRoutes(deps: MigrateDeps & { readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      id: "repoMigrate",
      method: "POST",
      path: "/repos/migrate",
      tag: "repository",
      summary: "Migrate a repository and wait for the result; the migration continues if the caller disconnects",
      access: signedIn,
      scope: "repository",
      body: MigrateRepoOptions,
      answers: json(201, Repository),
      refusals: { 403: "forbidden", 409: "error", 422: "validationError", 429: "error" },
      handle: async ({ actor, body, signal }) => presentRepository(await migrateRepository(deps, actor, readInput(body), signal), actor, deps.urls),
    }),
    defineRoute({
      ...own,
      id: "userListMigrations",
      method: "GET",
      path: "/user/migrations",
      summary: "List the caller's running and recent migrations, newest first",
      answers: list(Migration, "links"),
      handle: async ({ actor, page }) => {
        const { total, items } = await listMigrations(deps, actor, page);
        return { total, items: items.map(presentMigration) };
      },
    }),
    defineRoute({
      ...own,
      id: "userGetMigration",
      method: "GET",
      path: "/user/migrations/{id}",
      summary: "Get the progress of a migration of the caller",
      answers: json(200, Migration),
      refusals: { 404: "notFound" },
      handle: async ({ actor, params }) => presentMigration(await getMigration(deps, actor, readId(params.id))),
    }),
    defineRoute({
      ...own,
      id: "userCancelMigration",
      method: "DELETE",
      path: "/user/migrations/{id}",
      summary: "Cancel a running migration of the caller and discard its data",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, params }) => cancelMigration(deps, actor, readId(params.id)),
    }),
  ];
}

/** A mirror only follows code. */
const readParts = ({ mirror, labels, milestones, issues, pull_requests: pulls, releases }: MigrateRepoOptions): TrackerParts =>
  mirror ? noParts : { labels, milestones, issues, pulls, releases };

const noParts: TrackerParts = { labels: false, milestones: false, issues: false, pulls: false, releases: false };

/** From an unknown kind of server, only code is imported. */
const readService = (service: string): MigrationInput["service"] => (service === "gitea" || service === "github" || service === "gitlab" ? service : "git");

const readInput = (body: MigrateRepoOptions): MigrationInput => ({
  address: body.clone_addr,
  username: body.auth_username,
  password: body.auth_password,
  token: body.auth_token,
  ownerName: body.repo_owner,
  ownerId: body.uid,
  name: body.repo_name,
  description: body.description,
  isPrivate: body.private,
  isMirror: body.mirror,
  mirrorInterval: body.mirror_interval,
  service: readService(body.service),
  hasWiki: body.wiki,
  hasLargeFiles: body.lfs,
  parts: readParts(body),
});
