import { invalid } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { avatarPath } from "../../../core/urls.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { organizationPath, settingsPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderAccountSettings, renderOrganizationSettings, renderRepositorySettings } from "../../../ui/settings.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace } from "../../../wire/schema.ts";
import { getOrganization } from "../../organizations/orgs/service/organizations.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import { getUser } from "../users/service/accounts.ts";
import { maxPictureBytes } from "./picture.ts";
import { type AvatarDeps, type Image, setOrganizationAvatar, setRepositoryAvatar, setRepositoryPicture, setUserAvatar } from "./service/change.ts";
import { avatarTexts } from "./texts/texts.ts";
import { PictureView, PreviewSection } from "./views/picture.tsx";

const NoFields = inPlace({});
/** The largest picture, plus the other form fields. */
const bodyLimitBytes = maxPictureBytes + 65_536;

/** Picture pages, shown within the settings pages of each kind of owner. */
interface PicturePages<A extends Access> {
  readonly id: "User" | "Organization" | "Repository";
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly?: boolean;
  readonly placeOf: (request: SubjectsOf<A>) => PictureOwner;
}

/** The owner in one request. */
interface PictureOwner {
  readonly path: string;
  readonly set: (deps: AvatarDeps, image: Image) => Promise<void>;
  /** Loads the current picture and the page around it. */
  readonly load: (deps: AvatarDeps) => Promise<{
    readonly url: string | undefined;
    readonly isUploaded: boolean;
    /** The image of link previews, for owners that can have one; undefined in it: none is uploaded. */
    readonly preview?: { readonly url: string | undefined };
    readonly frame: (request: PageRequest, content: Html) => RawReply;
  }>;
}

const declarePages = <const A extends Access>(declared: PicturePages<A>): PicturePages<A> => declared;

const userPictures = declarePages({
  id: "User",
  path: "/user/settings/avatar",
  tag: "user",
  of: "the caller",
  access: signedIn,
  scope: "user",
  refusesPublicOnly: true,
  placeOf: ({ actor }) => ({
    path: "/user/settings/avatar",
    set: (deps, image) => setUserAvatar(deps, actor, image),
    load: async ({ db }) => {
      const view = await getUser({ db }, actor.id);
      return {
        url: avatarPath(view),
        isUploaded: view.avatar !== "",
        frame: (request, content) => renderAccountSettings({ ...pageReader(request), section: "avatar" }, content),
      };
    },
  }),
});

const organizationPictures = declarePages({
  id: "Organization",
  path: "/org/{org}/settings/avatar",
  tag: "organization",
  of: "an organization",
  access: organization.owner,
  scope: "organization",
  placeOf: ({ actor, organization }) => ({
    path: organizationPath(organization.name, "/settings/avatar"),
    set: (deps, image) => setOrganizationAvatar(deps, actor, organization, image),
    load: async ({ db }) => {
      const view = await getOrganization({ db }, organization.id);
      return {
        url: avatarPath(view),
        isUploaded: view.avatar !== "",
        frame: (request, content) => renderOrganizationSettings({ ...pageReader(request), organization, section: "avatar" }, content),
      };
    },
  }),
});

const repositoryPictures = declarePages({
  id: "Repository",
  path: "/{owner}/{repo}/settings/avatar",
  tag: "repository",
  of: "a repository",
  access: repository.admin(),
  scope: "repository",
  placeOf: ({ actor, repository }) => ({
    path: settingsPath(repository, "/avatar"),
    set: (deps, image) => setRepositoryAvatar(deps, actor, repository, image),
    load: async ({ db }) => {
      const view = await getRepository({ db }, actor, repository.id);
      const isUploaded = view.avatar !== "";
      return {
        url: isUploaded ? `/repo-avatars/${view.avatar}` : undefined,
        isUploaded,
        preview: { url: view.preview === "" ? undefined : `/repo-avatars/${view.preview}` },
        frame: (request, content) => renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section: "avatar" }, content),
      };
    },
  }),
});

/** Pages for changing the pictures of users, organizations and repositories. */
export const picturePages = (deps: AvatarDeps): Route[] => [
  ...pagesOf(deps, userPictures),
  ...pagesOf(deps, organizationPictures),
  ...pagesOf(deps, repositoryPictures),
  ...previewPages(deps),
];

/** The forms for the image of a repository's link previews, on the page of its picture. */
function previewPages(deps: AvatarDeps): Route[] {
  const { tag, access, scope, placeOf } = repositoryPictures;
  const page = { ...settingsPage, tag, access, scope } as const;
  const path = "/{owner}/{repo}/settings/avatar/preview";
  return [
    defineRoute({
      ...page,
      id: "giveRepositoryPreview",
      method: "POST",
      path,
      summary: "Give a repository an image for link previews",
      body: NoFields,
      bodyLimitBytes,
      formFiles: 1,
      handle: (request) => {
        const chosen = placeOf(request);
        const { actor, repository, files } = request;
        const give = async (): Promise<RawReply> => {
          const [file] = files;
          if (file === undefined) throw invalid(textsFor(avatarTexts, pageReader(request).languages).chooseFile);
          await setRepositoryPicture(deps, actor, repository, { kind: "preview", image: file.content });
          return savedAt(chosen.path);
        };
        return submit(give, (problem) => show(deps, request, chosen, { preview: problem }), { field: "preview", also: ["too_large"] });
      },
    }),
    defineRoute({
      ...page,
      id: "takeRepositoryPreview",
      method: "POST",
      path: `${path}/delete`,
      summary: "Remove the image of a repository's link previews",
      body: NoFields,
      handle: async (request) => {
        await setRepositoryPicture(deps, request.actor, request.repository, { kind: "preview", image: null });
        return savedAt(placeOf(request).path, "removed");
      },
    }),
  ];
}

function pagesOf<A extends Access>(deps: AvatarDeps, { id, path, tag, of, access, scope, refusesPublicOnly = false, placeOf }: PicturePages<A>): Route[] {
  const page = { ...settingsPage, tag, access, scope, refusesPublicOnly } as const;
  return [
    defineRoute({
      ...page,
      id: `pictureOf${id}Page`,
      method: "GET",
      path,
      summary: `The picture of ${of}`,
      handle: (request) => show(deps, request, placeOf(request)),
    }),
    defineRoute({
      ...page,
      id: `givePictureTo${id}`,
      method: "POST",
      path,
      summary: `Give ${of} a picture`,
      body: NoFields,
      bodyLimitBytes,
      formFiles: 1,
      handle: (request) => {
        const chosen = placeOf(request);
        const [file] = request.files;
        const give = async (): Promise<RawReply> => {
          if (file === undefined) throw invalid(textsFor(avatarTexts, pageReader(request).languages).chooseFile);
          await chosen.set(deps, file.content);
          return savedAt(chosen.path);
        };
        return submit(give, (problem) => show(deps, request, chosen, { picture: problem }), { field: "picture", also: ["too_large"] });
      },
    }),
    defineRoute({
      ...page,
      id: `takePictureFrom${id}`,
      method: "POST",
      path: `${path}/delete`,
      summary: `Remove the picture of ${of}`,
      body: NoFields,
      handle: async (request) => {
        const chosen = placeOf(request);
        await chosen.set(deps, null);
        return savedAt(chosen.path, "removed");
      },
    }),
  ];
}

interface Problems {
  readonly picture?: FormProblem;
  readonly preview?: FormProblem;
}

async function show(deps: AvatarDeps, request: PageRequest, { path, load }: PictureOwner, problems: Problems = {}): Promise<RawReply> {
  const { frame, url, isUploaded, preview } = await load(deps);
  const formToken = formTokenOf(requireSession(request.session));
  return frame(
    request,
    <>
      <PictureView path={path} url={url} isUploaded={isUploaded} problem={problems.picture} formToken={formToken} />
      {preview && <PreviewSection path={`${path}/preview`} url={preview.url} problem={problems.preview} formToken={formToken} />}
    </>,
  );
}
