import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Actor, isUser } from "../../../../access/actor.ts";
import { callerOf } from "../../../../access/caller.ts";
import { malformed } from "../../../../core/errors.ts";
import type { Enter } from "../../../../core/lanes.ts";
import { anyone } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { GitTarget } from "../git-target.ts";
import { advertisement, capabilityAdvertisement, plainRefs, protocolVersion } from "../service/advertise.ts";
import type { TransportDeps } from "../service/deps.ts";
import { answerFetch, maxFetchBytes } from "../service/fetch.ts";
import { type GitAddress, type GitService, isGitService, locateForGit } from "../service/locate.ts";
import { answerPush } from "../service/push.ts";
import { received, taken } from "../streams.ts";
import { receivedWhole } from "./received-whole.ts";

/** Proxies must not cache git responses. */
const uncached = { "cache-control": "no-cache, max-age=0, must-revalidate", pragma: "no-cache", expires: "Fri, 01 Jan 1980 00:00:00 GMT" };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Git over HTTP (gitprotocol-http). Access is `anyone` and scope `none`, because git clients need responses in their own format.
 * `locateForGit` authenticates, checks the scope and finds the repository.
 */
export function transportRoutes(deps: TransportDeps): readonly Route[] {
  const common = { mount: "root", tag: "repository", isUnlisted: true, access: anyone, scope: "none" } as const;
  return [
    defineRoute({
      ...common,
      id: "gitInfoRefs",
      method: "GET",
      path: "/{owner}/{repo}/info/refs",
      summary: "Advertise the refs of a repository to a git client",
      query: { service: query.text("git-upload-pack or git-receive-pack") },
      answers: raw(["application/x-git-upload-pack-advertisement", "application/x-git-receive-pack-advertisement"]),
      handle: ({ actor, params, query, headers, url }) => answerInfoRefs(deps, actor, params, query.service, headers, url),
    }),
    // @compat files of the dumb protocol; programs read the default branch from HEAD (git-access.test.ts)
    defineRoute({
      ...common,
      id: "gitHead",
      method: "GET",
      path: "/{owner}/{repo}/HEAD",
      summary: "The default branch of a repository, as in the file HEAD of git",
      answers: raw(["text/plain"]),
      handle: async ({ actor, params }) => {
        const found = await locateForGit(deps, actor, params, "git-upload-pack");
        if ("movedTo" in found) return { status: 301, headers: { location: `/${found.movedTo}/HEAD` } };
        const body = await deps.refAnswers.answer(found, "head", ({ headRef }) => [Buffer.from(`ref: ${headRef}\n`)]);
        return { status: 200, headers: { ...uncached, "content-type": "text/plain" }, body };
      },
    }),
    defineRoute({
      ...common,
      id: "gitInfoPacks",
      method: "GET",
      path: "/{owner}/{repo}/objects/info/packs",
      summary: "The packs that the dumb protocol can read: none",
      answers: raw(["text/plain"]),
      handle: async ({ actor, params }) => {
        const found = await locateForGit(deps, actor, params, "git-upload-pack");
        if ("movedTo" in found) return { status: 301, headers: { location: `/${found.movedTo}/objects/info/packs` } };
        return { status: 200, headers: { ...uncached, "content-type": "text/plain;charset=utf-8" }, body: Buffer.from("\n") };
      },
    }),
    defineRoute({
      ...common,
      id: "gitUploadPack",
      method: "POST",
      path: "/{owner}/{repo}/git-upload-pack",
      summary: "Fetch from a repository",
      streamsBody: true,
      answers: raw(["application/x-git-upload-pack-result"]),
      handle: ({ actor, params, headers, stream, signal, remoteAddress }) => answerUploadPack(deps, actor, params, { headers, stream, signal, remoteAddress }),
    }),
    defineRoute({
      ...common,
      id: "gitReceivePack",
      method: "POST",
      path: "/{owner}/{repo}/git-receive-pack",
      summary: "Push to a repository",
      streamsBody: true,
      answers: raw(["application/x-git-receive-pack-result"]),
      handle: ({ actor, params, headers, stream, signal }) => answerReceivePack(deps, actor, params, { headers, stream, signal }),
    }),
  ];
}

async function answerInfoRefs(
  deps: TransportDeps,
  actor: Actor,
  address: GitAddress,
  service: string | undefined,
  headers: Headers,
  url: string,
): Promise<RawReply> {
  if (service !== undefined && !isGitService(service)) return { status: 400 };
  const found = await locateForGit(deps, actor, address, service ?? "git-upload-pack");
  if ("movedTo" in found) return { status: 301, headers: { location: `/${found.movedTo}/info/refs${url.includes("?") ? url.slice(url.indexOf("?")) : ""}` } };
  const reply = (type: string, body: Buffer | readonly Buffer[]): RawReply => ({ status: 200, headers: { ...uncached, "content-type": type }, body });
  if (service === undefined) {
    return reply("text/plain;charset=utf-8", await deps.refAnswers.answer(found, "plain", (store) => [Buffer.from(plainRefs(store))]));
  }
  const version = protocolVersion(headers["git-protocol"]);
  const type = `application/x-${service}-advertisement`;
  if (service === "git-upload-pack" && version === 2) return reply(type, capabilityAdvertisement("http", found.repository.objectFormat));
  return reply(type, await deps.refAnswers.answer(found, `http ${service} ${version}`, (store) => advertisement("http", service, version, store)));
}

interface GitRequest {
  readonly headers: Headers;
  /** Set on routes that read the body themselves. */
  readonly stream: IncomingMessage | undefined;
  readonly signal: AbortSignal;
}

async function answerUploadPack(
  deps: TransportDeps,
  actor: Actor,
  address: GitAddress,
  request: GitRequest & { readonly remoteAddress: string },
): Promise<RawReply> {
  const opened = await openRequest(deps, actor, address, "git-upload-pack", request);
  if ("reply" in opened) return opened.reply;
  const { signal } = request;
  const body = await receivedWhole(opened.stream, maxFetchBytes);
  const enter: Enter = () => deps.bulkLane.enter(callerOf(actor, request.remoteAddress), signal);
  const answer = await answerFetch(deps, opened.target, { version: protocolVersion(request.headers["git-protocol"]), body, enter, signal });
  return {
    status: 200,
    headers: { ...uncached, "content-type": "application/x-git-upload-pack-result" },
    body: isBuffers(answer) ? answer : { pieces: taken(answer, () => request.stream?.socket.destroy()) },
  };
}

async function answerReceivePack(deps: TransportDeps, actor: Actor, address: GitAddress, request: GitRequest): Promise<RawReply> {
  const opened = await openRequest(deps, actor, address, "git-receive-pack", request);
  if ("reply" in opened) return opened.reply;
  if (!isUser(actor)) throw malformed("a push needs credentials");
  const input = received(opened.stream, request.headers["content-encoding"]);
  // After an early refusal the rest of the body is drained: the client reads the response only after it has sent everything.
  const letPass = (): void => void input.return().catch(() => {});
  const answer = await answerPush(deps, { actor, target: opened.target, input, signal: request.signal }).catch((error: unknown) => {
    letPass();
    throw error;
  });
  const headers = { ...uncached, "content-type": "application/x-git-receive-pack-result" };
  if (!isBuffers(answer)) return { status: 200, headers, body: Readable.from(answer, { objectMode: false }) };
  letPass();
  return { status: 200, headers, body: answer };
}

const isBuffers = (answer: readonly Buffer[] | AsyncIterable<Uint8Array>): answer is readonly Buffer[] => Array.isArray(answer);

type Opened = { readonly reply: RawReply } | { readonly target: GitTarget; readonly stream: IncomingMessage };

async function openRequest(deps: TransportDeps, actor: Actor, address: GitAddress, service: GitService, request: GitRequest): Promise<Opened> {
  const found = await locateForGit(deps, actor, address, service);
  if ("movedTo" in found) return { reply: { status: 301, headers: { location: `/${found.movedTo}/${service}` } } };
  if (request.headers["content-type"] !== `application/x-${service}-request`) return { reply: { status: 400 } };
  return { target: found, stream: request.stream as IncomingMessage };
}
