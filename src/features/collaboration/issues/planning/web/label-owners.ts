import { isUser, type UserActor } from "../../../../../access/actor.ts";
import { plannedUnits, writesAny } from "../../../../../access/repository.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db } from "../../../../../db/db.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf } from "../../../../../http/access.ts";
import type { RawReply } from "../../../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../../../http/page-reader.ts";
import { organizationPath, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { renderOrganizationSettings } from "../../../../../ui/settings.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import type { LabelOwner, LabelView } from "../../../labels/model.ts";
import { labelTexts } from "../../../labels/texts/texts.ts";
import { quoted } from "../../search/query-language.ts";
import { listLabelsByUse, openIssuesOfLabels, readsIssuesOf } from "../service/label-counts.ts";

/** Request data of a label page, for any owner. */
export interface LabelRequest extends PageRequest {
  readonly page: Page;
}

/** Routing and access of label pages, which repositories and organizations share. */
export interface LabelPages<R extends Access, W extends Access> {
  /** Suffix of the route names. */
  readonly suffix: "" | "OfOrganization";
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly scope: Scope;
  /** Read access. */
  readonly readers: R;
  /** Write access. */
  readonly writers: W;
  readonly subjects: (request: SubjectsOf<R> | SubjectsOf<W>) => LabelOwnerPages;
  readonly writer: (request: SubjectsOf<W>) => UserActor;
}

/** Label pages of one request's owner. */
export interface LabelOwnerPages {
  readonly owner: LabelOwner;
  /** Path of the list. */
  readonly path: string;
  readonly canChange: boolean;
  /** Address of the issues with a label; undefined if they are in several repositories. */
  readonly issuesWith: ((label: string) => string) | undefined;
  /** The numbers of open issues by label, where they are shown. */
  readonly countIssues: (deps: { readonly db: Db }, labelIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** Labels by their number of open issues; undefined where the numbers are not shown. */
  readonly listByUse: ((deps: { readonly db: Db }, page: Page) => Promise<Paged<LabelView>>) | undefined;
  readonly frame: (deps: { readonly db: Db }, request: LabelRequest, content: Html) => Promise<RawReply>;
}

const place = <const R extends Access, const W extends Access>(declared: LabelPages<R, W>): LabelPages<R, W> => declared;

export const repositoryLabelPages = place({
  suffix: "",
  path: "/{owner}/{repo}/labels",
  tag: "issue",
  of: "a repository",
  scope: "issue",
  readers: repository.visible,
  writers: repository.writerOfAny(plannedUnits),
  subjects: ({ actor, repository }) => ({
    owner: { repoId: repository.id },
    path: `${repositoryPath(repository)}/labels`,
    canChange: isUser(actor) && writesAny(repository.right, plannedUnits),
    issuesWith: (label) => withQuery(`${repositoryPath(repository)}/issues`, { q: `is:open label:${quoted(label)}` }),
    countIssues: (deps, labelIds) => openIssuesOfLabels(deps, repository, labelIds),
    listByUse: readsIssuesOf(repository) ? (deps, page) => listLabelsByUse(deps, repository, page) : undefined,
    frame: async ({ db }, request, content) => {
      const view = await getRepository({ db }, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(labelTexts, reader.languages).labels;
      return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "issues", title, heading: title }, content);
    },
  }),
  writer: ({ actor }) => actor,
});

export const organizationLabelPages = place({
  suffix: "OfOrganization",
  path: "/org/{org}/settings/labels",
  tag: "organization",
  of: "an organization",
  scope: "organization",
  readers: organization.owner,
  writers: organization.owner,
  subjects: ({ organization }) => ({
    owner: { orgId: organization.id },
    path: organizationPath(organization.name, "/settings/labels"),
    canChange: true,
    issuesWith: undefined,
    countIssues: async () => new Map(),
    listByUse: undefined,
    frame: async (_, request, content) => renderOrganizationSettings({ ...pageReader(request), organization, section: "labels" }, content),
  }),
  writer: ({ actor }) => actor,
});
