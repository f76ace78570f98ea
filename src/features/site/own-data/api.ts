import type { Urls } from "../../../core/urls.ts";
import { signedIn } from "../../../http/access.ts";
import { json, raw } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { DataLink } from "../../../wire/data-link.ts";
import { dataReply } from "./file-reply.ts";
import { type DataDeps, makeDataLink } from "./service/downloads.ts";

const own = { tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true, refusals: { 403: "forbidden" } } as const;

/** The data of the caller. Beyond the contract. */
export function dataRoutes(deps: DataDeps & { readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      ...own,
      id: "userCreateDataLink",
      method: "POST",
      path: "/user/data/links",
      summary: "Create a link for one download of the caller's data",
      answers: json(201, DataLink),
      handle: async ({ actor }) => {
        const { code, expiresMs } = await makeDataLink(deps, actor);
        return { url: `${deps.urls.api("user", "data")}?code=${code}`, expires_at: new Date(expiresMs).toISOString() };
      },
    }),
    defineRoute({
      ...own,
      id: "userGetData",
      method: "GET",
      path: "/user/data",
      summary: "Download the caller's data as a tar archive, with the code of a link",
      query: { code: query.text("The code of the link") },
      entersLane: true,
      answers: raw(["application/x-tar"]),
      refusals: { 400: "error", ...own.refusals },
      handle: async ({ actor, query, remoteAddress, signal }) =>
        dataReply(actor.name, await deps.openDataDownload(actor, { code: query.code ?? "", remoteAddress, signal })),
    }),
  ];
}
