import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import { encodePkt, flushPkt } from "../../../../git/send/pkt-line.ts";
import { encodeSideBand, sideBand, terminalText } from "../../../../git/send/side-band.ts";
import type { PushCommand, PushRequest } from "./push-request.ts";

/** The result of one command: success, or the refusal for the user's terminal. */
export interface PushVerdict {
  readonly command: PushCommand;
  /** Undefined: the ref moved. */
  readonly refusal: string | undefined;
  /** The ref that moved instead of the requested one. */
  readonly movedName?: string;
}

export interface PushOutcome {
  /** The error of the whole pack; undefined if it was accepted. */
  readonly unpackError: string | undefined;
  readonly verdicts: readonly PushVerdict[];
  /** Lines for the user, without the `remote:` prefix. */
  readonly messages: readonly string[];
}

const oneLine = (text: string): string => terminalText(text).replace(/\s*\n\s*/g, " ");

function verdictLines({ command, refusal, movedName }: PushVerdict, reports: PushRequest["reports"]): readonly string[] {
  if (refusal !== undefined) return [`ng ${command.name} ${oneLine(refusal)}`];
  return movedName === undefined || reports !== "report-status-v2" ? [`ok ${command.name}`] : [`ok ${command.name}`, `option refname ${movedName}`];
}

/** The response to a push (gitprotocol-pack, Report Status), after any data already sent. */
export function* pushReport(request: Pick<PushRequest, "reports" | "usesSideBand">, outcome: PushOutcome): Generator<Buffer, void, undefined> {
  if (request.usesSideBand && outcome.messages.length > 0) {
    yield* encodeSideBand(sideBand.progress, terminalText(`${outcome.messages.join("\n")}\n`));
  }
  if (request.reports !== "none") {
    const report = Buffer.concat([
      encodePkt(`unpack ${outcome.unpackError === undefined ? "ok" : oneLine(outcome.unpackError)}\n`),
      ...outcome.verdicts.flatMap((verdict) => verdictLines(verdict, request.reports).map((line) => encodePkt(`${line}\n`))),
      flushPkt,
    ]);
    if (request.usesSideBand) yield* encodeSideBand(sideBand.data, report);
    else yield report;
  }
  if (request.usesSideBand) yield flushPkt;
}

/**
 * The response to a slow push, with a keep-alive every `everyMs`. After the response has started, a failure cannot change the
 * status. It is sent in the protocol's error band, so that the user sees more than a closed connection.
 */
export async function* awaitedReport(
  request: Pick<PushRequest, "reports" | "usesSideBand">,
  outcome: Promise<PushOutcome>,
  { everyMs, onFailure }: { readonly everyMs: number; readonly onFailure: (error: ForgeError) => void },
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for (;;) {
      yield keepAlive;
      const done = await within(outcome, everyMs);
      if (done !== undefined) return yield* pushReport(request, done);
    }
  } catch (error) {
    if (!isForgeError(error)) throw error;
    onFailure(error);
    yield* encodeSideBand(sideBand.fatal, `${oneLine(error.message)}\n`);
  }
}

/** The result of the promise if it settles in time. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>();
  const handle = setTimeout(timer.resolve, ms, undefined);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

/** An empty packet of the data band: proxies close idle connections. */
export const keepAlive: Buffer = Buffer.from("0005\x01", "latin1");
