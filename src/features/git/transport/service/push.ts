import type { ForgeError } from "../../../../core/errors.ts";
import { awaitedReport, pushReport, within } from "./push-report.ts";
import { readPushRequest } from "./push-request.ts";
import { type Push, type ReceiveDeps, receivePush } from "./receive.ts";

/** Proxies and people give up on connections that stay silent for longer. */
const keepAliveMs = 5_000;

export interface IncomingPush extends Omit<Push, "request"> {
  /** Commands, options and pack as they come. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Called when the first of the pack has come: from then on the client holds what others wait for. */
  readonly onPack?: () => void;
}

/**
 * Takes a push and answers it. What fails within the first seconds is thrown, so that each door can refuse in its own way; what takes longer is
 * answered while it runs, and its failure told as the protocol's last words.
 * @throws ForgeError as `readPushRequest` and `receivePush`
 */
export async function answerPush(
  deps: ReceiveDeps,
  { actor, target, input, signal, onPack }: IncomingPush,
): Promise<readonly Buffer[] | AsyncIterable<Buffer>> {
  const { max_refs_per_push: maxCommands } = deps.config.git;
  const asked = await readPushRequest(input, target.repository.objectFormat, { maxCommands, maxCommandBytes: maxCommands * 1_024 + 65_536 });
  const request = onPack === undefined ? asked : { ...asked, pack: announced(asked.pack, onPack) };
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
