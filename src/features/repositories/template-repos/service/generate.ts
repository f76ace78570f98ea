import { isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { forbidden, invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { newCommit } from "../../../../git/objects/format.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { type WriteReceipt, writeObjects } from "../../../../git/objects/write.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { findNamedAccount } from "../../../accounts/users/service/accounts.ts";
import { copyLabels } from "../../../collaboration/labels/service/labels.ts";
import { findOrganization } from "../../../organizations/orgs/service/find.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { copyRules } from "../../protections/service/copy-rules.ts";
import { branchPrefix } from "../../refs/model.ts";
import type { RefUpdate } from "../../refs/moves.ts";
import { findRef } from "../../refs/service/read.ts";
import { createStore } from "../../refs/service/stores.ts";
import type { RepositoryView } from "../../repos/model.ts";
import type { NewOwner } from "../../repos/new-repository.ts";
import { copyAvatar } from "../../repos/service/avatars.ts";
import type { CreateDeps } from "../../repos/service/create.ts";
import { checkPlace, checkRepositoryInput, insertNewRepository, isNameTaken, mayMakeIn, nameTaken } from "../../repos/service/insert.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import { copyTopics } from "../../repos/service/topics.ts";
import { newSettings } from "../../repos/settings.ts";
import { type NamedRepository, variablesOf } from "../variables.ts";
import { expandTree } from "./content.ts";

export interface GenerateDeps extends CreateDeps {
  readonly config: Pick<Config, "actions" | "repositories" | "limits">;
}

/** The parts of a template that can be copied. */
export type TemplateItem = "git_content" | "topics" | "git_hooks" | "webhooks" | "avatar" | "labels" | "protected_branch";

export interface GenerateInput {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  /** Empty for the template's name. */
  readonly defaultBranch: string;
  readonly items: ReadonlySet<TemplateItem>;
}

/**
 * Creates a repository from a template: one commit with the contents of its default branch, variables expanded, and the selected items. The
 * result is complete or absent. Operation `generateRepo`.
 * @throws ForgeError `invalid` if the repository is not a template or no item is selected, `not_found` for an unknown owner, `forbidden`, `conflict`
 */
export async function generateRepository(deps: GenerateDeps, actor: UserActor, template: RepositorySubject, input: GenerateInput): Promise<RepositoryView> {
  const view = await getRepository(deps, actor, template.id);
  if (!view.isTemplate) throw invalid("this is not a template repo");
  if (input.items.size === 0) throw invalid("must select at least one template item", { reason: "nothing_chosen" });
  const owner = await findOwner(deps, actor, input.owner);
  checkRepositoryInput(actor, input);
  const defaultBranch = input.defaultBranch === "" ? template.defaultBranch : input.defaultBranch;
  if (!isValidBranchName(defaultBranch)) throw invalid("[DefaultBranch]: GitRefName", { reason: "invalid_ref_name" });
  await checkPlace(deps, actor, owner, input.name);
  const generation = { actor, owner, template, view, input, defaultBranch };
  const sourceOid = input.items.has("git_content") ? await contentOf(deps, template) : undefined;
  const storeOptions = { format: template.objectFormat, defaultBranch };
  try {
    if (sourceOid === undefined) {
      const id = await deps.db.tx(async (tx) => insertGenerated(tx, deps, generation, await createStore(tx, storeOptions)));
      return await getRepository(deps, actor, id);
    }
    // As for every repository with an initial commit: first the store, then its objects, then everything visible.
    const storeId = await deps.db.tx((tx) => createStore(tx, storeOptions));
    const first = await makeCommit(deps, generation, storeId, sourceOid);
    const id = await deps.db.tx((tx) => insertGenerated(tx, deps, generation, storeId, first));
    return await getRepository(deps, actor, id);
  } catch (error) {
    throw isNameTaken(error) ? nameTaken() : error;
  }
}

async function findOwner(deps: { readonly db: Reader }, actor: UserActor, name: string): Promise<NewOwner> {
  if (name.toLowerCase() === actor.name.toLowerCase()) return { id: actor.id, name: actor.name, kind: "user" };
  const owner = await findNamedAccount(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? unknownOwner(name) : error;
  });
  if (owner.kind === "user") {
    if (!isSiteAdmin(actor)) throw forbidden("Only admin can generate repository for other user.");
    return { id: owner.id, name: owner.name, kind: "user" };
  }
  const organization = await findOrganization(deps, owner.name, actor);
  if (!("subject" in organization)) throw unknownOwner(name);
  if (!(await mayMakeIn(deps.db, actor, organization.subject)))
    throw forbidden("Given user is not allowed to create repository in organization.", { reason: "cannot_create_in_organization" });
  return { id: owner.id, name: owner.name, kind: "organization" };
}

/** @compat this error has another key than other errors (template-repos/api.test.ts) */
const unknownOwner = (name: string) => notFound("not found", { fields: { error: `request owner \`${name}\` does not exist` } });

/** The commit of the default branch; undefined for an empty template. */
async function contentOf(deps: GenerateDeps, template: RepositorySubject): Promise<string | undefined> {
  if (!atLeast(template.right.unit("repo.code"), "read")) throw forbidden("user should have specific read permission or be a repo admin or a site admin");
  return (await findRef(deps.db, template.codeStoreId, branchPrefix + template.defaultBranch))?.oid;
}

interface Generation {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly template: RepositorySubject;
  readonly view: RepositoryView;
  readonly input: GenerateInput;
  readonly defaultBranch: string;
}

interface MadeCommit {
  readonly update: RefUpdate;
  readonly receipt: WriteReceipt;
}

/** The new repository gets the files of the one commit, but not its history. */
async function makeCommit(deps: GenerateDeps, generation: Generation, storeId: number, sourceOid: string): Promise<MadeCommit> {
  const { actor, owner, template, view, input, defaultBranch } = generation;
  const [from, store] = [codeStore(deps, template), deps.git.store(storeId, template.objectFormat, 0)];
  const source = await readCommit(from, sourceOid);
  if (source === undefined) throw notFound("object does not exist", { meta: { oid: sourceOid } });
  const borrowed = await copyObjectsFrom(from, store, { tipOids: [source.treeOid], knownOids: [] });
  const nowMs = deps.clock.now();
  const made = { name: input.name, description: input.description, ownerName: owner.name };
  const original = { name: template.name, description: view.description, ownerName: template.ownerName };
  const { treeOid, objects } = await expandTree(store, source.treeOid, variablesOf(withAddresses(deps, made), withAddresses(deps, original), nowMs));
  const signature = { ...gitIdentity(actor, deps.urls), seconds: Math.floor(nowMs / 1000), offsetMinutes: 0 };
  const details = { treeOid, parentOids: [], author: signature, committer: signature, message: "Initial commit\n" };
  const commit = newCommit(store.format, details, deps.commitSigner?.sign);
  const written = await writeObjects(store, [...objects, commit]);
  return {
    update: { name: branchPrefix + defaultBranch, oldOid: null, newOid: commit.oid, type: "commit", peeledOid: "", tipMs: signature.seconds * 1000 },
    receipt: { sizeBytes: borrowed.sizeBytes + written.sizeBytes },
  };
}

function withAddresses({ urls }: GenerateDeps, repository: Pick<NamedRepository, "name" | "description" | "ownerName">): NamedRepository {
  const { ownerName, name } = repository;
  const webUrl = urls.web(ownerName, name);
  return { ...repository, webUrl, cloneUrl: `${webUrl}.git`, sshUrl: urls.ssh(ownerName, name) };
}

async function insertGenerated(tx: Tx, deps: GenerateDeps, generation: Generation, codeStoreId: number, first?: MadeCommit): Promise<number> {
  const { actor, owner, template, input, defaultBranch } = generation;
  const { name, description, isPrivate, items } = input;
  const id = await insertNewRepository(tx, deps, {
    actor,
    owner,
    repository: {
      name,
      description,
      isPrivate,
      isTemplate: false,
      codeStoreId,
      defaultBranch,
      trustModel: "default",
      settings: newSettings(deps.config),
      licenses: [],
    },
    isWatched: true,
  });
  if (items.has("topics")) await copyTopics(tx, template.id, id);
  if (items.has("labels")) await copyLabels(tx, template.id, id);
  if (items.has("protected_branch")) await copyRules(tx, template.id, id);
  if (items.has("avatar")) await copyAvatar(tx, template.id, id);
  if (first !== undefined) {
    const { update, receipt } = first;
    const mover = { kind: "server" } as const;
    await moveRepositoryRefs(tx, { repoId: id, mover, onBehalfOf: actor.id, via: "server", mode: "all", receipt, updates: [update] });
  }
  await requireRoom({ db: tx, config: deps.config }, owner.id, 0);
  const event = { repoId: id, name, ownerId: owner.id, ownerName: owner.name, templateId: template.id, items: [...items] };
  await recordEvent(tx, "repo.generated", event, { repoId: id, actorId: actor.id });
  return id;
}
