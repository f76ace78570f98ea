import type { IncomingMessage, ServerResponse } from "node:http";
import { type Remote, type RemoteOptions, startRemote } from "./remote.ts";

export interface ForeignForgeOptions extends RemoteOptions {
  /** Where the interface has the repository. */
  readonly api: string;
  /** What it says: lists and things by their paths below that. @param url of the forge */
  readonly answers: (url: string) => Readonly<Record<string, unknown>>;
  /** The `Authorization` that the interface asks for. */
  readonly apiAuthorization?: string;
  /** Answers for the interface in its own way; true when it has. */
  readonly instead?: ((path: string, response: ServerResponse) => boolean) | undefined;
}

/** Shorter than anybody asks for: clients go on as they are led. */
const pageSize = 2;

/** A forge of another kind that pages its lists by `Link` headers, with the git of this machine behind it. */
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
