import { isForgeError } from "../../../../core/errors.ts";
import { anyone } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { textError } from "../../../../http/errors.ts";
import { readBody } from "../../../../http/read-body.ts";
import type { RequestOf } from "../../../../http/route.ts";
import { lfsType, parseFields } from "../protocol.ts";
import type { LfsDeps } from "../service/deps.ts";
import type { LfsCaller } from "../service/locate.ts";

/**
 * Access is `anyone` and scope `none`, and the routes are open on instances that require sign-in, because the HTTP kit does not know
 * the LFS tokens issued over SSH. `locateForLfs` authenticates, checks the scope and finds the repository.
 */
export const common = {
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isOpen: true,
  access: anyone,
  scope: "none",
  entersLane: true,
  answers: raw([lfsType]),
} as const;

export type LfsRequest = Pick<RequestOf<string, typeof anyone, Record<never, never>, undefined>, "actor" | "headers" | "stream" | "remoteAddress" | "enter">;

export const callerOf = ({ actor, headers, remoteAddress, enter }: LfsRequest): LfsCaller => ({
  actor,
  remoteAddress,
  enter,
  authorization: typeof headers.authorization === "string" && headers.authorization !== "" ? headers.authorization : undefined,
});

/** Bytes instead of a string, because a string would add a charset that the media type does not define. */
const written = (body: object): Buffer => Buffer.from(`${JSON.stringify(body)}\n`);

export const reply = (status: number, body: object): RawReply => ({ status, headers: { "content-type": lfsType }, body: written(body) });

/** @compat Gitea's transfer errors have their text in `Message`, those of locks in `message` (wire facts 6.3; lfs/api.test.ts) */
export type ErrorField = "Message" | "message";

/** Sends responses and errors in the format that git lfs expects. */
export async function answer(deps: LfsDeps, field: ErrorField, work: () => Promise<RawReply>): Promise<RawReply> {
  if (!deps.config.lfs.enabled) return { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "Not found.\n" };
  try {
    return await work();
  } catch (error) {
    if (!isForgeError(error)) throw error;
    if (error.code === "unavailable" && error.reason !== "server_busy")
      deps.log.error({ err: error, meta: error.options.meta }, "a large file could not be served");
    const { status, headers } = textError(error);
    return { status, headers: { ...headers, "content-type": lfsType }, body: written({ [field]: error.message }) };
  }
}

/** @returns undefined for another media type, which the caller handles */
export async function readFields({ headers, stream }: LfsRequest, limitBytes: number): Promise<Readonly<Record<string, unknown>> | undefined> {
  const type = String(headers["content-type"] ?? "").split(";", 1)[0];
  if (type !== lfsType || stream === undefined) return undefined;
  return parseFields(await readBody(stream, limitBytes));
}

export const wrongType = (): RawReply => reply(415, { Message: "Unsupported Media Type" });
