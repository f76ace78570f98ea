import type { ForgeError } from "../../../../core/errors.ts";
import { awaitedReport, pushReport, within } from "./push-report.ts";
import { readPushRequest } from "./push-request.ts";
import { type Push, type ReceiveDeps, receivePush } from "./receive.ts";

/** Proxies close connections that are idle for longer, and users give up on them. */
const keepAliveMs = 5_000;

export interface IncomingPush extends Omit<Push, "request"> {
  /** The request stream: commands, options and pack. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Called when the pack starts. From then on the client occupies a limited resource. */
  readonly onPack?: () => void;
}

/**
 * Receives a push and responds to it. Failures within the first seconds are thrown, so that each transport can refuse in its own
 * format. A slower push is answered while it runs, and a failure is sent in the protocol's error band.
 * @throws ForgeError as `readPushRequest` and `receivePush`
 */
export async function answerPush(
  deps: ReceiveDeps,
  { actor, target, input, signal, onPack }: IncomingPush,
): Promise<readonly Buffer[] | AsyncIterable<Buffer>> {
  const { max_refs_per_push: maxCommands } = deps.config.git;
  const requested = await readPushRequest(input, target.repository.objectFormat, { maxCommands, maxCommandBytes: maxCommands * 1_024 + 65_536 });
  const request = onPack === undefined ? requested : { ...requested, pack: announced(requested.pack, onPack) };
  if (request.commands.length === 0) return [];
  const outcome = receivePush(deps, { actor, target, request, signal });
  if (!request.usesSideBand) return [...pushReport(request, await outcome)];
  const early = await within(outcome, keepAliveMs);
  if (early !== undefined) return [...pushReport(request, early)];
  const onFailure = (error: ForgeError): void => deps.log.warn({ err: error, repoId: target.repository.id, meta: error.options.meta }, "a push failed");
  return awaitedReport(request, outcome, { everyMs: keepAliveMs, onFailure });
}

async function* announced(pack: AsyncIterable<Uint8Array>, onPack: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  let hasBegun = false;
  for await (const chunk of pack) {
    if (!hasBegun) onPack();
    hasBegun = true;
    yield chunk;
  }
}
