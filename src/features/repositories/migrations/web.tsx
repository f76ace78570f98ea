import type { UserActor } from "../../../access/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { readId } from "../../../core/ids.ts";
import { lengths } from "../../../core/lengths.ts";
import { signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { readOption, seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { renderPage } from "../../../ui/page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { MigrateRepoOptions } from "../../../wire/migration.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import type { ListDeps } from "../../organizations/orgs/service/lists.ts";
import { listNewOwners } from "../repos/service/new-owners.ts";
import type { MigrationInput } from "./migration-input.ts";
import { checkSourceAddress } from "./service/plan.ts";
import { type MigrateDeps, startMigration } from "./service/start.ts";
import { cancelMigration, getMigration, listMigrations } from "./service/watch.ts";
import { migrationTexts } from "./texts/texts.ts";
import { MigrationForm, type MigrationValues } from "./views/migration-form.tsx";
import { MigrationProgress, Migrations, migrationFormPath, migrationPath, migrationsPath } from "./views/migrations.tsx";

export interface MigrationPageDeps extends MigrateDeps, ListDeps {
  readonly db: MigrateDeps["db"];
  readonly clock: Clock;
}

const page = { ...settingsPage, tag: "repository", access: signedIn, scope: "repository", refusesPublicOnly: true } as const;

const Fields = inPlace({
  clone_addr: text(lengths.address),
  service: text(),
  auth_token: text(lengths.secret),
  auth_username: text(255),
  auth_password: text(lengths.secret),
  owner: text(),
  name: text(lengths.repositoryName),
  description: text(lengths.repositoryDescription),
  private: bool(),
  mirror: bool(),
  wiki: bool(),
  lfs: bool(),
  labels: bool(),
  milestones: bool(),
  issues: bool(),
  pull_requests: bool(),
  releases: bool(),
});

/** Seconds after which the page of a running migration is loaded again. */
const refreshSeconds = 3;
/** Maximum number of organizations offered. */

/** The pages that start and show migrations. */
export const migrationPages = (deps: MigrationPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "migrationForm",
    method: "GET",
    path: migrationFormPath,
    summary: "The form that starts a migration",
    query: { owner: query.text("The preselected owner"), again: query.integer("An earlier migration, whose address, owner and name are entered") },
    handle: async (request) => {
      const { owner = request.actor.name, again } = request.query;
      return formPage(deps, request, { ...blank, owner, ...(again !== undefined && (await valuesOf(deps, request.actor, again))) });
    },
  }),
  defineRoute({
    ...page,
    id: "beginMigration",
    method: "POST",
    path: migrationFormPath,
    summary: "Start a migration, which continues after the response",
    body: Fields,
    handle: (request) => {
      const { auth_token: token, auth_password: password, ...values } = request.body;
      const start = async (): Promise<RawReply> => seeOther(migrationPath(await startMigration(deps, request.actor, readInput(values, { token, password }))));
      const fieldOf = {
        repository_exists: "name",
        name_reserved: "name",
        name_characters: "name",
        migration_open: "name",
        user_not_found: "owner",
        cannot_create_in_organization: "owner",
      } as const;
      return submit(start, (problem) => formPage(deps, request, values, problem), {
        field: "clone_addr",
        fieldOf,
        checks: { clone_addr: () => checkSourceAddress(values.clone_addr) },
        also: ["forbidden", "not_found", "too_large"],
      });
    },
  }),
  defineRoute({
    ...page,
    id: "migrationsPage",
    method: "GET",
    path: migrationsPath,
    summary: "The caller's running and recent migrations",
    handle: async (request) => {
      const { items, total } = await listMigrations(deps, request.actor, request.page);
      const reader = pageReader(request);
      const title = textsFor(migrationTexts, reader.languages).list;
      return renderPage({ ...reader, title }, <Migrations migrations={items} page={request.page} total={total} now={deps.clock.now()} />);
    },
  }),
  defineRoute({
    ...page,
    id: "migrationPage",
    method: "GET",
    path: `${migrationsPath}/{id}`,
    summary: "The progress of a migration of the caller",
    handle: async (request) => {
      const migration = await getMigration(deps, request.actor, readId(request.params.id));
      const reader = pageReader(request);
      const isOpen = migration.state === "waiting" || migration.state === "running";
      return renderPage(
        {
          ...reader,
          title: textsFor(migrationTexts, reader.languages).progressOf(migration.fullName),
          isNarrow: "form",
          ...(isOpen && { headers: { refresh: String(refreshSeconds) } }),
        },
        <MigrationProgress migration={migration} formToken={formTokenOf(requireSession(request.session))} now={deps.clock.now()} />,
      );
    },
  }),
  defineRoute({
    ...page,
    id: "cancelMigrationOnPage",
    method: "POST",
    path: `${migrationsPath}/{id}/cancel`,
    summary: "Cancel a running migration of the caller",
    body: inPlace({}),
    handle: async ({ actor, params }) => {
      const id = readId(params.id);
      await cancelMigration(deps, actor, id);
      return seeOther(migrationPath(id));
    },
  }),
];

/** @throws ForgeError `invalid` as in the API */
function readInput(values: MigrationValues, secrets: Pick<MigrationInput, "token" | "password">): MigrationInput {
  const { owner, service, clone_addr, name, ...typed } = values;
  const read = readOption(MigrateRepoOptions, { ...typed, clone_addr: clone_addr.trim(), repo_name: name.trim() });
  const isKnown = service === "gitea" || service === "github" || service === "gitlab";
  const has = (item: boolean): boolean => item && !typed.mirror;
  return {
    ...secrets,
    address: read.clone_addr,
    username: read.auth_username,
    ownerName: owner,
    ownerId: 0,
    name: read.repo_name,
    description: read.description,
    isPrivate: typed.private,
    isMirror: typed.mirror,
    mirrorInterval: "",
    service: isKnown ? service : "git",
    hasWiki: typed.wiki,
    hasLargeFiles: typed.lfs,
    parts: {
      labels: has(typed.labels),
      milestones: has(typed.milestones),
      issues: has(typed.issues),
      pulls: has(typed.pull_requests),
      releases: has(typed.releases),
    },
  };
}

const blank: MigrationValues = {
  clone_addr: "",
  service: "git",
  auth_username: "",
  owner: "",
  name: "",
  description: "",
  private: false,
  mirror: false,
  wiki: true,
  lfs: true,
  labels: true,
  milestones: true,
  issues: true,
  pull_requests: true,
  releases: true,
};

/** The values of an earlier migration that are kept after its end. @throws ForgeError `not_found` */
async function valuesOf(deps: MigrationPageDeps, actor: UserActor, id: number): Promise<Pick<MigrationValues, "clone_addr" | "owner" | "name">> {
  const { address, fullName } = await getMigration(deps, actor, id);
  const [owner = "", name = ""] = fullName.split("/");
  return { clone_addr: address, owner, name };
}

interface FormRequest extends PageRequest {
  readonly actor: UserActor;
}

/** Secrets are not shown again. */
async function formPage(deps: MigrationPageDeps, request: FormRequest, values: MigrationValues, problem?: FormProblem): Promise<RawReply> {
  const { actor, session } = request;
  const reader = pageReader(request);
  const owners = (await listNewOwners(deps, actor)).owners.map(({ name }) => name);
  return renderPage(
    { ...reader, title: textsFor(migrationTexts, reader.languages).title, isNarrow: "form" },
    <MigrationForm owners={owners} values={values} problem={problem} formToken={formTokenOf(requireSession(session))} />,
  );
}
