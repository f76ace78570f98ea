import type { Actor, UserActor } from "../../../access/actor.ts";
import { isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Config } from "../../../config/config.ts";
import { forbidden, isForgeError, notFound, unauthenticated } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import type { Page } from "../../../core/paging.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { type SubmitOptions, savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { wikiPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import type { RenderedPage } from "../../../ui/page.tsx";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../ui/slow-part.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import type { WikiPageDetails } from "./model.ts";
import { titleOfSlug } from "./page-name.ts";
import { createPage, deletePage, editPage, type WikiChangeDeps } from "./service/change.ts";
import { getPage, listPages, listRevisions, readRevisions } from "./service/read.ts";
import { searchWiki } from "./service/search.ts";
import { showWikiPage, showWikiText, type WikiShowDeps } from "./service/shown.ts";
import { wikiTexts } from "./texts/texts.ts";
import { WikiComparison, WikiFormerPage, WikiRevisions } from "./views/revisions.tsx";
import { WikiFound } from "./views/search.tsx";
import { EmptyWiki, MissingWikiPage, WikiForm, WikiPageShown, WikiPages } from "./views/wiki.tsx";

export type WikiPageDeps = WikiChangeDeps & WikiShowDeps & { readonly urls: Urls; readonly config: Pick<Config, "repositories" | "limits"> };

const common = { mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;
const reading = { ...common, method: "GET", access: repository.reader("repo.wiki") } as const;
const writing = { ...common, method: "POST", access: repository.writer("repo.wiki", { archived: "refused" }) } as const;
/** @compat actions are query parameters, as in Gitea's URLs (scenarios/pages-wiki.test.ts) */
const action = query.text("`_new`, `_edit`, `_delete`, `_revision`, `_view`, `_compare`, `_search` or `_pages`; omitted for the page itself");
const PageForm = inPlace({ title: text(), content: text(lengths.content), message: text(), seen: text() });
/** Allowance for the other form fields; form encoding can triple the size of the page. */
const formMargin = 64 * 1024;

/** The first page of a wiki. */
const home = "Home";

/** The web pages of wikis. */
export function wikiPages(deps: WikiPageDeps): Route[] {
  const bodyLimitBytes = deps.config.repositories.max_file_bytes * 3 + formMargin;
  return [
    defineRoute({
      ...reading,
      id: "wikiHomePage",
      path: "/{owner}/{repo}/wiki",
      summary: "The home page of a wiki, or the list of its pages",
      query: { action, title: query.text("The title of a new page"), q: query.text("A text that pages have in their title or lines") },
      handle: async (request) => {
        if (request.query.action === "_new") return formPage(deps, requireWriter(request), { ...blank, title: request.query.title ?? "" });
        if (request.query.action === "_pages") return pagesPage(deps, request);
        if (request.query.action === "_search") return foundPage(deps, request, request.query.q ?? "");
        return orNothing(
          () => showPage(deps, request, home),
          () => pagesPage(deps, request),
        );
      },
    }),
    defineRoute({
      ...reading,
      id: "wikiPage",
      path: "/{owner}/{repo}/wiki/{pageName}",
      summary: "A wiki page, its history, or the form for editing it",
      query: { action, at: query.text("The commit of a former version"), from: query.text("The older commit"), to: query.text("The newer commit") },
      handle: async (request) => {
        const { pageName } = request.params;
        const { at = "", from = "", to = "" } = request.query;
        if (request.query.action === "_revision") return revisionsPage(deps, request, pageName);
        if (request.query.action === "_view") return formerPage(deps, request, pageName, at);
        if (request.query.action === "_compare") return comparisonPage(deps, request, pageName, [from, to]);
        if (request.query.action !== "_edit")
          return orNothing(
            () => showPage(deps, request, pageName),
            () => missingPage(deps, request, titleOfSlug(pageName)),
          );
        const writer = requireWriter(request);
        const page = await getPage(deps, request.repository, pageName, request.signal);
        return formPage(deps, writer, { slug: page.slug, title: page.title, content: page.content.toString("utf8"), message: "", seen: page.commit.oid });
      },
    }),
    defineRoute({
      ...writing,
      id: "makeWikiPage",
      path: "/{owner}/{repo}/wiki",
      summary: "Create a wiki page",
      body: PageForm,
      bodyLimitBytes,
      handle: async (request) => {
        const { actor, repository, body } = request;
        return submit(
          async () => seeOther(wikiPath(repository, (await createPage(deps, actor, repository, wishOf(body))).slug)),
          (problem) => formPage(deps, request, { ...body, slug: "", problem }),
          ofPage,
        );
      },
    }),
    defineRoute({
      ...writing,
      id: "changeWikiPage",
      path: "/{owner}/{repo}/wiki/{pageName}",
      summary: "Edit or delete a wiki page",
      query: { action },
      body: PageForm,
      bodyLimitBytes,
      handle: async (request) => {
        const { actor, repository, params, body } = request;
        if (request.query.action === "_delete") {
          await deletePage(deps, actor, repository, params.pageName);
          return savedAt(wikiPath(repository), "deleted");
        }
        const present = await getPage(deps, repository, params.pageName, request.signal);
        if (present.commit.oid !== body.seen) return changedMeanwhile(deps, request, present, body);
        return submit(
          async () => seeOther(wikiPath(repository, (await editPage(deps, actor, repository, present.slug, wishOf(body))).slug)),
          (problem) => formPage(deps, request, { ...body, slug: present.slug, problem }),
          ofPage,
        );
      },
    }),
  ];
}

interface PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
  readonly signal: AbortSignal;
}
type WriterRequest = PageRequest & { readonly actor: UserActor };

interface Typed {
  readonly title: string;
  readonly content: string;
  readonly message: string;
  readonly seen: string;
}
type FormState = Typed & { readonly slug: string; readonly problem?: FormProblem; readonly changedTo?: string };

const blank: FormState = { slug: "", title: "", content: "", message: "", seen: "" };

const wishOf = ({ title, content, message }: Typed) => ({
  title: title.trim(),
  content: Buffer.from(content, "utf8"),
  message: message.trim(),
});

const writesWiki = ({ actor, repository }: PageRequest): boolean =>
  isUser(actor) && !repository.isArchived && !repository.isMirror && atLeast(repository.right.unit("repo.wiki"), "write");

/** @throws ForgeError `unauthenticated`, `forbidden` */
function requireWriter(request: PageRequest): WriterRequest {
  const { actor } = request;
  if (!isUser(actor)) throw unauthenticated("Sign in to write in this wiki.");
  if (!writesWiki(request)) throw forbidden("You do not have permission to edit this wiki.");
  return { ...request, actor };
}

async function render(deps: WikiPageDeps, request: PageRequest, title: string, content: Html, heading: Html | null = title): Promise<RenderedPage> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "wiki", title, heading }, content);
}

/** @throws ForgeError `not_found` */
async function showPage(deps: WikiPageDeps, request: PageRequest, called: string): Promise<RawReply> {
  const { actor, repository } = request;
  const page = await getPage(deps, repository, called, request.signal);
  const shown = await showWikiPage(deps, actor, repository, page);
  const props = { repository, page, shown, canWrite: writesWiki(request), now: deps.clock.now() };
  return render(deps, request, page.title, <WikiPageShown {...props} />, null);
}

/** Links can lead to pages that do not exist yet. */
async function missingPage(deps: WikiPageDeps, request: PageRequest, title: string): Promise<RawReply> {
  const props = { repository: request.repository, title, canWrite: writesWiki(request) };
  return { ...(await render(deps, request, title, <MissingWikiPage {...props} />, null)), status: 404 };
}

async function pagesPage(deps: WikiPageDeps, request: PageRequest): Promise<RawReply> {
  const { repository, page } = request;
  const texts = textsFor(wikiTexts, pageReader(request).languages);
  const canWrite = writesWiki(request);
  return orNothing(
    async () => {
      const { items, total } = await listPages(deps, repository, page, request.signal);
      const cloneUrl = `${deps.urls.web(repository.fullName)}.wiki.git`;
      return render(
        deps,
        request,
        texts.pages,
        <WikiPages repository={repository} pages={items} total={total} page={page} canWrite={canWrite} cloneUrl={cloneUrl} now={deps.clock.now()} />,
      );
    },
    () => render(deps, request, texts.title, <EmptyWiki repository={repository} canWrite={canWrite} />),
  );
}

async function revisionsPage(deps: WikiPageDeps, request: PageRequest, called: string): Promise<RawReply> {
  const { repository, page } = request;
  const name = await getPage(deps, repository, called, request.signal);
  const { items, total } = await listRevisions(deps, repository, called, page, request.signal);
  const title = textsFor(wikiTexts, pageReader(request).languages).historyOf(name.title);
  return render(deps, request, title, <WikiRevisions repository={repository} name={name} commits={items} total={total} page={page} now={deps.clock.now()} />);
}

async function foundPage(deps: WikiPageDeps, request: PageRequest, typed: string): Promise<RawReply> {
  const { repository } = request;
  const texts = textsFor(wikiTexts, pageReader(request).languages);
  return orNothing(
    async () => {
      const found = await searchWiki(deps, repository, typed, request.signal);
      return render(deps, request, texts.searchOf(typed), <WikiFound repository={repository} typed={typed} found={found} />);
    },
    () => render(deps, request, texts.title, <EmptyWiki repository={repository} canWrite={writesWiki(request)} />),
  );
}

/** @throws ForgeError `not_found` */
async function formerPage(deps: WikiPageDeps, request: PageRequest, called: string, oid: string): Promise<RawReply> {
  const { actor, repository } = request;
  const { page, revisions } = await readRevisions(deps, repository, called, [oid]);
  const [revision] = revisions;
  if (revision === undefined) throw notFound();
  const html = await showWikiText(deps, actor, repository, revision.content);
  const title = textsFor(wikiTexts, pageReader(request).languages).revisionOf(page.title);
  return render(deps, request, title, <WikiFormerPage repository={repository} name={page} revision={revision} html={html} now={deps.clock.now()} />);
}

/** @throws ForgeError `not_found` */
async function comparisonPage(deps: WikiPageDeps, request: PageRequest, called: string, oids: readonly string[]): Promise<RawReply> {
  const { repository } = request;
  const { page, revisions } = await readRevisions(deps, repository, called, oids);
  const [from, to] = revisions;
  if (from === undefined || to === undefined) throw notFound();
  const title = textsFor(wikiTexts, pageReader(request).languages).comparisonOf(page.title);
  const rendered = await render(deps, request, title, <SlowPart />);
  return streamPage(rendered, pageReader(request).languages, <WikiComparison repository={repository} name={page} from={from} to={to} />);
}

/** Where the form of a page shows errors. */
const ofPage: SubmitOptions = { fieldOf: { page_exists: "title" } };

function formPage(deps: WikiPageDeps, request: PageRequest, state: FormState): Promise<RawReply> {
  const texts = textsFor(wikiTexts, pageReader(request).languages);
  const title = state.slug === "" ? texts.new : texts.editOf(state.title);
  return render(deps, request, title, <WikiForm {...state} repository={request.repository} formToken={formTokenOf(requireSession(request.session))} />);
}

/** Shows the submitted text and the present page side by side, so that neither is lost. */
async function changedMeanwhile(deps: WikiPageDeps, request: PageRequest, present: WikiPageDetails, typed: Typed): Promise<RawReply> {
  const state = { ...typed, slug: present.slug, seen: present.commit.oid, changedTo: present.content.toString("utf8") };
  return { ...(await formPage(deps, request, state)), status: 422 };
}

/** Runs `otherwise` if `work` fails with `not_found`. */
async function orNothing(work: () => Promise<RawReply>, otherwise: () => Promise<RawReply>): Promise<RawReply> {
  try {
    return await work();
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
    return otherwise();
  }
}
