import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, invalid, isForgeError } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Reason } from "../../../../core/reasons.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../../http/form-submit.ts";
import type { UploadForm } from "../../../../http/form-uploads.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { releaseFormPath, releasePath, releasesPath, tagsPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { type TextsOf, textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { createTag } from "../../../repositories/branches/service/tags.ts";
import { codeTexts } from "../../../repositories/contents/texts/texts.ts";
import { offerNewestRefs } from "../../../repositories/refs/service/read.ts";
import type { NewRelease, ReleaseView } from "../../../repositories/releases/model.ts";
import { removeReleaseOfTag } from "../../../repositories/releases/service/change.ts";
import { hasRelease, requireRelease, requireReleaseOfTag, toView } from "../../../repositories/releases/service/find.ts";
import { generateNotes, type NotesDeps } from "../../../repositories/releases/service/generate-notes.ts";
import { releaseTexts } from "../../../repositories/releases/texts/texts.ts";
import { releaseVersion } from "../../../repositories/releases/version.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { TakenFile } from "../model.ts";
import { releaseLimits } from "../service/change.ts";
import { createReleaseWithFiles, editReleaseWithFiles, type ReleaseFilesDeps } from "../service/release-files.ts";
import { openTaken, type StagingDeps, sealTaken, takeComing } from "../service/staged.ts";
import { releaseFormTexts } from "../texts/texts.ts";
import { ReleaseForm, type ReleaseTyped } from "../views/release-form.tsx";

export type ReleaseFormDeps = ReleaseFilesDeps & StagingDeps & NotesDeps;

const page = {
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isPage: true,
  access: repository.writer("repo.releases", { archived: "refused" }),
  scope: "repository",
  answers: raw(["text/html"]),
} as const;

const typedFields = {
  tag_name: text(),
  target: text(),
  previous_tag: text(),
  tag_message: text(),
  title: text(lengths.line),
  note: text(lengths.releaseNote),
  prerelease: bool(),
};
const Fields = inPlace({ ...typedFields, action: text(), id: text(), seen: text(), came: text() });
/** For the form's fields: notes of a million characters, and the file names. */
const bodyLimitBytes = 5 * 1024 * 1024;
const formUploads = 50;
const form = { ...page, method: "POST", formUploads, bodyLimitBytes } as const;

const creation = "/{owner}/{repo}/releases/new";
const editing = "/{owner}/{repo}/releases/edit/{tag+}";

/** Pages for creating and editing releases. */
export const releaseFormPages = (deps: ReleaseFormDeps): Route[] => [
  defineRoute({
    ...page,
    id: "newReleasePage",
    method: "GET",
    path: creation,
    summary: "The form for a new release",
    query: { tag: query.text("The tag of the release"), target: query.text("The target of a new tag") },
    handle: async (request) => {
      const { repository } = request;
      const { tag = "", target = "" } = request.query;
      if (tag !== "" && (await hasRelease(deps.db, repository.id, tag))) return seeOther(releaseFormPath(repository, tag));
      const typed = { ...blank, tag_name: tag, target };
      return show(deps, request, { ...nothingSent, typed, release: undefined });
    },
  }),
  defineRoute({
    ...form,
    id: "makeRelease",
    path: creation,
    summary: "Create a release with its files, or only its tag; or fill in generated notes",
    handle: async (request) => {
      const { actor, repository } = request;
      const sent = await readForm(deps, request);
      if (sent.action === "notes") return fillNotes(deps, request, sent);
      return submitForm(deps, request, sent, async (wanted) => {
        if (sent.action === "tag") {
          await createTag(deps, actor, repository, { name: wanted.tagName, target: wanted.target, message: wanted.tagMessage });
          return seeOther(tagsPath(repository));
        }
        return seeOther(releasePath(repository, await createReleaseWithFiles(deps, actor, repository, { ...wanted, added: sent.taken })));
      });
    },
  }),
  defineRoute({
    ...page,
    id: "editReleasePage",
    method: "GET",
    path: editing,
    summary: "The form for editing a release",
    handle: async (request) => {
      const release = await toView(deps.db, await requireReleaseOfTag(deps, request.repository, request.params.tag));
      return show(deps, request, { ...nothingSent, typed: typedOf(release), release, seen: releaseVersion(release) });
    },
  }),
  defineRoute({
    ...form,
    id: "changeRelease",
    path: editing,
    summary: "Update a release and its files",
    handle: async (request) => {
      const { actor, repository } = request;
      const sent = await readForm(deps, request);
      if (sent.action === "notes") return fillNotes(deps, request, sent);
      const { id, seen, names, removed, taken } = sent;
      return submitForm(deps, request, sent, async (wanted) => {
        const wishes = { names, removed, added: taken };
        return seeOther(releasePath(repository, await editReleaseWithFiles(deps, actor, repository, { ...wanted, id, seen, wishes })));
      });
    },
  }),
  defineRoute({
    ...page,
    id: "deleteReleaseOnPage",
    method: "POST",
    path: "/{owner}/{repo}/releases/delete/{tag+}",
    summary: "Delete a release; its tag remains",
    body: inPlace({}),
    handle: async ({ actor, repository, params }) => {
      await removeReleaseOfTag(deps, actor, repository, params.tag);
      return savedAt(releasesPath(repository), "deleted");
    },
  }),
];

const blank: ReleaseTyped = { tag_name: "", target: "", previous_tag: "", tag_message: "", title: "", note: "", prerelease: false };

const typedOf = ({ tagName, target, title, note, isPrerelease }: ReleaseView): ReleaseTyped => ({
  ...blank,
  tag_name: tagName,
  target,
  title,
  note,
  prerelease: isPrerelease,
});

interface FormRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
}

/** The submitted form. */
interface Sent {
  readonly typed: ReleaseTyped;
  readonly action: string;
  /** Id of the edited release; 0 for a new one. */
  readonly id: number;
  readonly seen: string;
  readonly names: ReadonlyMap<number, string>;
  readonly removed: ReadonlySet<number>;
  readonly taken: readonly TakenFile[];
  /** Why a file was rejected. */
  readonly refusal: ForgeError | undefined;
}

const nothingSent: Sent = { typed: blank, action: "", id: 0, seen: "", names: new Map(), removed: new Set(), taken: [], refusal: undefined };

/** Reads a form and stores its files as they arrive; they stay unreferenced until a release uses them. */
async function readForm(deps: ReleaseFormDeps, request: FormRequest & { readonly form: UploadForm | undefined }): Promise<Sent> {
  const { actor, repository, form, headers } = request;
  if (form === undefined) throw new Error("a route whose form uploads files declares `formUploads`");
  const coming = { expectedBytes: Number(headers["content-length"] ?? 0), takeFiles: form.takeFiles };
  const { files, refusal } = await takeComing(deps, repository, releaseLimits(deps), coming);
  const { action, id, seen, came, ...fields } = form.fields(Fields);
  const typed = {
    ...fields,
    tag_name: fields.tag_name.trim(),
    target: fields.target.trim(),
    previous_tag: fields.previous_tag.trim(),
    title: fields.title.trim(),
    tag_message: fields.tag_message.trim(),
    note: fields.note,
  };
  const fresh = new Set(files.map(({ name }) => name));
  const before = (await openTaken(deps, actor, repository, came)).filter(({ name }) => !fresh.has(name));
  const names = new Map([...numbered(form.values, "name_")].map(([file, name]) => [file, name.trim()]));
  const removed = new Set(numbered(form.values, "remove_").keys());
  return { typed, action, id: readId(id), seen, names, removed, taken: [...before, ...files], refusal };
}

/** Fields of the release's existing files, by file id. */
const numbered = (values: ReadonlyMap<string, string>, prefix: string): Map<number, string> =>
  new Map([...values].flatMap(([name, value]): [number, string][] => (name.startsWith(prefix) ? [[readId(name.slice(prefix.length)), value]] : [])));

const wishOf = ({ typed, action }: Sent): NewRelease => ({
  tagName: typed.tag_name,
  target: typed.target,
  tagMessage: typed.tag_message,
  title: typed.title,
  note: typed.note,
  isDraft: action === "draft",
  isPrerelease: typed.prerelease,
});

/** Runs the submitted action. If it is rejected, shows the form again with the input and the uploaded files. */
function submitForm(deps: ReleaseFormDeps, request: FormRequest, sent: Sent, work: (wanted: NewRelease) => Promise<RawReply>): Promise<RawReply> {
  return submit(
    async () => {
      if (sent.refusal !== undefined) throw sent.refusal;
      if (sent.typed.tag_name === "") throw invalid("[TagName]: Required", { reason: "required" });
      return work(wishOf(sent));
    },
    async (problem) => show(deps, request, { ...sent, release: sent.id === 0 ? undefined : await findPresent(deps, request, sent.id), problem }),
    { also: ["not_found", "forbidden", "locked", "too_large"] },
  );
}

/** Shows the form with notes generated from the changes since the previous tag. Notes that the user has written precede them. */
function fillNotes(deps: ReleaseFormDeps, request: FormRequest, sent: Sent): Promise<RawReply> {
  const { repository } = request;
  const { tag_name: tagName, target, previous_tag: previousTag, note } = sent.typed;
  const release = () => (sent.id === 0 ? undefined : findPresent(deps, request, sent.id));
  return submit(
    async () => {
      const texts = textsFor(releaseFormTexts, pageReader(request).languages).notes;
      const generated = await generateNotes(deps, repository, { tagName, target, previousTag }, texts);
      const typed = { ...sent.typed, note: note.trim() === "" ? generated : `${note.trimEnd()}\n\n${generated}` };
      return show(deps, request, { ...sent, typed, release: await release(), hasNewNotes: true });
    },
    async (problem) => show(deps, request, { ...sent, release: await release(), problem }),
    { also: ["not_found"] },
  );
}

/** If the release has been deleted in the meantime, the input creates a new one. */
async function findPresent(deps: ReleaseFormDeps, { repository }: FormRequest, id: number): Promise<ReleaseView | undefined> {
  try {
    return await toView(deps.db, await requireRelease(deps, repository, id));
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

interface Shown extends Sent {
  /** The current release. */
  readonly release: ReleaseView | undefined;
  readonly problem?: FormProblem;
  readonly hasNewNotes?: boolean;
}

async function show(deps: ReleaseFormDeps, request: FormRequest, { typed, release, taken, problem, hasNewNotes = false, ...sent }: Shown): Promise<RawReply> {
  const { actor, repository, session } = request;
  const reader = pageReader(request);
  const texts = textsFor(releaseFormTexts, reader.languages);
  const { newRelease } = textsFor(codeTexts, reader.languages);
  const { editOf } = textsFor(releaseTexts, reader.languages);
  const seen = release === undefined ? "" : releaseVersion(release);
  const isStale = release !== undefined && sent.seen !== seen;
  const isGone = sent.id !== 0 && release === undefined;
  const props = {
    repository,
    typed,
    release,
    seen,
    hasNewNotes,
    isStale,
    names: sent.names,
    removed: sent.removed,
    came: taken,
    cameSeal: sealTaken(deps, actor, repository, taken),
    maxBytes: releaseLimits(deps).maxBytes,
    refs: await offerNewestRefs(deps.db, repository.codeStoreId),
    formToken: formTokenOf(requireSession(session)),
    problem: problem && placed(texts, problem, { isGone, isOfFiles: sent.refusal !== undefined }),
  };
  const title = release === undefined ? newRelease : editOf(release.title === "" ? release.tagName : release.title);
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  return renderRepositoryPage({ ...reader, repository: header, tab: "releases", title, heading: title }, <ReleaseForm {...props} />);
}

interface Circumstances {
  readonly isGone: boolean;
  readonly isOfFiles: boolean;
}

/** Places a problem at its field, or explains that another user has deleted the release. */
function placed(texts: TextsOf<typeof releaseFormTexts>, problem: FormProblem, { isGone, isOfFiles }: Circumstances): FormProblem {
  if (isGone) return { field: undefined, message: texts.gone };
  return { ...problem, field: problem.field ?? (isOfFiles ? "files" : fieldOf(problem.reason)) };
}

/** The field that an error of a service is about. */
function fieldOf(reason: Reason | undefined): string | undefined {
  switch (reason) {
    case "release_exists":
    case "tag_exists":
    case "tag_has_release":
    case "tag_protected":
      return "tag_name";
    case "target_not_found":
      return "target";
    default:
      return undefined;
  }
}
