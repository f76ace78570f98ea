import { signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { accountPaths, renderAccountSettings } from "../../../ui/settings.tsx";
import { inPlace } from "../../../wire/schema.ts";
import { dataReply } from "./file-reply.ts";
import { type DataDeps, type DataLink, makeDataLink } from "./service/downloads.ts";
import { OwnDataView } from "./views/data.tsx";

const page = { ...settingsPage, tag: "user", scope: "user", access: signedIn, refusesPublicOnly: true } as const;
const downloadPath = `${accountPaths.data}/download`;

/** The settings page for the download of the caller's data. */
export function dataPages(deps: DataDeps): Route[] {
  return [
    defineRoute({
      ...page,
      id: "dataPage",
      method: "GET",
      path: accountPaths.data,
      summary: "The caller's data",
      handle: (request) => show(request, undefined),
    }),
    defineRoute({
      ...page,
      id: "makeDataLink",
      method: "POST",
      path: accountPaths.data,
      summary: "Create a link for one download of the caller's data",
      body: inPlace({}),
      // Shown once, like a new token.
      handle: async (request) => show(request, await makeDataLink(deps, request.actor)),
    }),
    defineRoute({
      ...page,
      id: "downloadData",
      method: "GET",
      path: downloadPath,
      summary: "Download the caller's data as a tar archive, with the code of a link",
      query: { code: query.text("The code of the link") },
      entersLane: true,
      handle: async ({ actor, query, remoteAddress, signal }) =>
        dataReply(actor.name, await deps.openDataDownload(actor, { code: query.code ?? "", remoteAddress, signal })),
    }),
    defineRoute({
      ...page,
      id: "headData",
      method: "HEAD",
      path: downloadPath,
      summary: "Refused, because a link is valid for one request",
      handle: () => ({ status: 405, headers: { allow: "GET" } }),
    }),
  ];
}

function show(request: PageRequest, link: DataLink | undefined): RawReply {
  const formToken = formTokenOf(requireSession(request.session));
  const shown = link && { address: `${downloadPath}?code=${link.code}`, expiresMs: link.expiresMs };
  return renderAccountSettings({ ...pageReader(request), section: "data" }, <OwnDataView link={shown} formToken={formToken} />);
}
