import { malformed } from "../../../../core/errors.ts";
import { organization, repository, signedIn } from "../../../../http/access.ts";
import { empty } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { UpdateRepoAvatarOption, UpdateUserAvatarOption } from "../../../../wire/avatar.ts";
import { decodeBase64 } from "../../../repositories/contents/base64.ts";
import { maxPictureBytes } from "../picture.ts";
import { type AvatarDeps, setOrganizationAvatar, setRepositoryAvatar, setUserAvatar } from "../service/change.ts";

/** The largest picture in base64, plus the surrounding JSON. */
const bodyLimitBytes = Math.ceil(maxPictureBytes / 3) * 4 + 1_024;

/** @throws ForgeError `malformed` for invalid base64 */
const pictureIn = (text: string): Promise<Buffer> => decodeBase64(text, malformed);

/** Uploads and deletes pictures of users, organizations and repositories. */
export const avatarUploadRoutes = (deps: AvatarDeps): Route[] => [
  defineRoute({
    id: "userUpdateAvatar",
    method: "POST",
    path: "/user/avatar",
    tag: "user",
    summary: "Set the caller's picture: PNG, JPEG, GIF or WebP in base64",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    body: UpdateUserAvatarOption,
    bodyLimitBytes,
    answers: empty(),
    refusals: { 400: "error" },
    handle: async ({ actor, body }) => setUserAvatar(deps, actor, await pictureIn(body.image)),
  }),
  defineRoute({
    id: "userDeleteAvatar",
    method: "DELETE",
    path: "/user/avatar",
    tag: "user",
    summary: "Delete the avatar of the authenticated user",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: empty(),
    handle: ({ actor }) => setUserAvatar(deps, actor, null),
  }),
  defineRoute({
    id: "orgUpdateAvatar",
    method: "POST",
    path: "/orgs/{org}/avatar",
    tag: "organization",
    summary: "Set an organization's picture",
    access: organization.owner,
    scope: "organization",
    body: UpdateUserAvatarOption,
    bodyLimitBytes,
    answers: empty(),
    refusals: { 400: "error", 404: "notFound" },
    handle: async ({ actor, organization, body }) => setOrganizationAvatar(deps, actor, organization, await pictureIn(body.image)),
  }),
  defineRoute({
    id: "orgDeleteAvatar",
    method: "DELETE",
    path: "/orgs/{org}/avatar",
    tag: "organization",
    summary: "Delete the avatar of an organization",
    access: organization.owner,
    scope: "organization",
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, organization }) => setOrganizationAvatar(deps, actor, organization, null),
  }),
  defineRoute({
    id: "repoUpdateAvatar",
    method: "POST",
    path: "/repos/{owner}/{repo}/avatar",
    tag: "repository",
    summary: "Update the avatar of a repository",
    access: repository.admin({ asks: "after-right" }),
    scope: "repository",
    body: UpdateRepoAvatarOption,
    bodyLimitBytes,
    answers: empty(),
    refusals: { 400: "error", 404: "notFound" },
    handle: async ({ actor, repository, body }) => setRepositoryAvatar(deps, actor, repository, await pictureIn(body.image)),
  }),
  defineRoute({
    id: "repoDeleteAvatar",
    method: "DELETE",
    path: "/repos/{owner}/{repo}/avatar",
    tag: "repository",
    summary: "Remove a repository's picture",
    access: repository.admin({ asks: "after-right" }),
    scope: "repository",
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, repository }) => setRepositoryAvatar(deps, actor, repository, null),
  }),
];
