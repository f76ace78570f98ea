import type { IncomingMessage, ServerResponse } from "node:http";
import { type Remote, type RemoteOptions, startRemote } from "./remote.ts";

export interface ForeignForgeOptions extends RemoteOptions {
  /** Path of the repository in the API. */
  readonly api: string;
  /** The responses: lists and objects by their paths below that. @param url of the forge */
  readonly answers: (url: string) => Readonly<Record<string, unknown>>;
  /** The required `Authorization` header. */
  readonly apiAuthorization?: string;
  /** Handles an API request itself; returns true if it did. */
  readonly instead?: ((path: string, response: ServerResponse) => boolean) | undefined;
}

/** Smaller than the requested page size, so that clients have to follow the links. */
const pageSize = 2;

/** A forge of another kind that pages its lists with `Link` headers, backed by the local git. */
export const startForeignForge = ({ api, answers, apiAuthorization, instead, ...options }: ForeignForgeOptions): Promise<Remote> => {
  const answerFor = (url: URL, { headers }: IncomingMessage, response: ServerResponse): void => {
    const path = url.pathname.slice(api.length);
    if (apiAuthorization !== undefined && headers.authorization !== apiAuthorization) {
      response.writeHead(401).end("{}");
      return;
    }
    if (instead?.(path, response)) return;
    const found = answers(url.origin)[path];
    if (found === undefined) response.writeHead(404).end(`{"message":"Not Found"}`);
    else if (Array.isArray(found)) answerPage(url, found, response);
    else response.end(JSON.stringify(found));
  };
  return startRemote({
    ...options,
    intercept(request, response) {
      const url = new URL(request.url ?? "", `http://${request.headers.host}`);
      if (url.pathname !== api && !url.pathname.startsWith(`${api}/`)) return options.intercept?.(request, response) ?? false;
      answerFor(url, request, response);
      return true;
    },
  });
};

function answerPage(url: URL, items: readonly unknown[], response: ServerResponse): void {
  const page = Number(url.searchParams.get("page") ?? 1);
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  if (page * pageSize < items.length) response.setHeader("link", `<${next.href}>; rel="next", <${url.href}>; rel="first"`);
  response.end(JSON.stringify(items.slice((page - 1) * pageSize, page * pageSize)));
}
