import { notFound } from "../../../core/errors.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { openDocument } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { withQuery } from "../../../ui/addresses.ts";
import { sitePictures } from "./site-pictures.ts";

const leads = { ...openDocument, answers: raw(["text/plain"], 303) } as const;

const leadTo = (location: string): RawReply => ({ status: 303, headers: { location } });

/** Well-known addresses that programs and browsers request by themselves. */
export const knownAddresses = (): readonly Route[] => [
  defineRoute({ ...leads, id: "favicon", path: "/favicon.ico", summary: "The favicon of the site", handle: () => leadTo("/assets/img/favicon.png") }),
  defineRoute({
    ...openDocument,
    id: "sitePicture",
    path: "/assets/img/{name}",
    summary: "A picture of the site",
    answers: raw(["image/png", "image/svg+xml"]),
    handle: ({ params }) => {
      const picture = sitePictures.get(params.name);
      if (picture === undefined) throw notFound();
      const headers = {
        "content-type": picture.type,
        "cache-control": "public, max-age=21600",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "x-content-type-options": "nosniff",
      };
      return { status: 200, headers, body: picture.content };
    },
  }),
  defineRoute({
    ...openDocument,
    id: "sshInfo",
    path: "/ssh_info",
    summary: "Whether the server supports the AGit flow",
    answers: raw(["text/json"]),
    handle: () => ({ status: 200, headers: { "content-type": "text/json;charset=UTF-8" }, body: '{"type":"agit","version":1}' }),
  }),
  defineRoute({
    ...leads,
    id: "changePassword",
    path: "/.well-known/change-password",
    summary: "Redirect to the page for changing a password, for password managers",
    handle: () => leadTo("/user/settings/account"),
  }),
  defineRoute({ ...leads, id: "explore", path: "/explore", summary: "Redirect to the list of repositories", handle: () => leadTo("/explore/repos") }),
  ...(["GET", "HEAD"] as const).map((method) =>
    defineRoute({
      ...leads,
      id: `${method === "GET" ? "webGet" : "webHead"}AvatarByHash`,
      method,
      path: "/avatar/{digest}",
      summary: "Redirect to the picture for the hash of an email address",
      query: { size: query.text("Width and height in pixels") },
      handle: ({ params, query: { size } }) => {
        if (!/^[0-9a-f]{32}([0-9a-f]{32})?$/i.test(params.digest)) throw notFound();
        return leadTo(withQuery(`/avatars/${params.digest.toLowerCase()}`, { size }));
      },
    }),
  ),
];
