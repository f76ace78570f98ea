import type { Urls } from "../../../../core/urls.ts";
import { anyone } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { fileHeaders, isFresh } from "../../../../http/file-answer.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { avatarUrl } from "../../users/present.ts";
import { createIdenticons, identiconSides } from "../identicon.ts";
import {
  type FoundPicture,
  findAccountPicture,
  findPicturedAccount,
  findRepositoryPicture,
  type PictureDeps,
  type PicturedAccountDeps,
} from "../service/find.ts";

const produces = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const cacheControl = "public, max-age=21600, no-transform";

export interface PictureApiDeps extends Omit<PictureDeps, "identicons">, PicturedAccountDeps {
  readonly urls: Urls;
}

/** The addresses of pictures in API responses. They are public: browsers request pictures without credentials. */
export function pictureRoutes(given: PictureApiDeps): Route[] {
  const deps = { ...given, identicons: createIdenticons() };
  const common = { mount: "root", isUnlisted: true, access: anyone, scope: "none" } as const;
  return (["GET", "HEAD"] as const).flatMap((method) => [
    defineRoute({
      ...common,
      id: method === "GET" ? "webGetAvatar" : "webHeadAvatar",
      method,
      path: "/avatars/{digest}",
      tag: "user",
      summary: "Get the avatar of a user or organization",
      query: { size: query.integer("Width and height of a generated picture, in pixels") },
      answers: raw(produces),
      handle: async ({ params, query, headers }) =>
        answerPicture(method, await findAccountPicture(deps, params.digest, query.size ?? identiconSides.default), headers),
    }),
    defineRoute({
      ...common,
      id: method === "GET" ? "webGetRepoAvatar" : "webHeadRepoAvatar",
      method,
      path: "/repo-avatars/{digest}",
      tag: "repository",
      summary: "Get the avatar of a repository",
      answers: raw(produces),
      handle: async ({ params, headers }) => answerPicture(method, await findRepositoryPicture(deps, params.digest), headers),
    }),
    defineRoute({
      ...common,
      id: method === "GET" ? "webGetAvatarOf" : "webHeadAvatarOf",
      method,
      path: "/{username}.png",
      tag: "user",
      summary: "Redirect to the picture of a user or organization",
      answers: raw(["text/plain"], 303),
      handle: async ({ actor, params }) => leadTo(avatarUrl(await findPicturedAccount(deps, actor, params.username), deps.urls)),
    }),
    defineRoute({
      ...common,
      id: method === "GET" ? "webGetAvatarByName" : "webHeadAvatarByName",
      method,
      path: "/user/avatar/{username}/{size}",
      tag: "user",
      summary: "Redirect to the picture of a user or organization",
      answers: raw(["text/plain"], 303),
      handle: async ({ actor, params }) => {
        const address = avatarUrl(await findPicturedAccount(deps, actor, params.username), deps.urls);
        const hasSize = /^[1-9]\d{0,4}$/.test(params.size);
        return leadTo(hasSize ? `${address}?size=${params.size}` : address);
      },
    }),
  ]);
}

const leadTo = (location: string): RawReply => ({ status: 303, headers: { location, "cache-control": "private, max-age=300" } });

async function answerPicture(
  method: "GET" | "HEAD",
  picture: FoundPicture,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<RawReply> {
  const { etag } = picture;
  if (isFresh(headers["if-none-match"], etag)) return { status: 304, headers: { etag: `"${etag}"`, "cache-control": cacheControl } };
  const { type, content } = await picture.load();
  const about = fileHeaders({ contentType: type, disposition: "inline", name: `avatar.${type.slice("image/".length)}`, etag, cacheControl });
  const shown = { ...about, "content-length": content.length };
  return method === "HEAD" ? { status: 200, headers: shown } : { status: 200, headers: shown, body: content };
}
