import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import { encodePkt, flushPkt } from "../../../../git/send/pkt-line.ts";
import { encodeSideBand, sideBand, terminalText } from "../../../../git/send/side-band.ts";
import type { PushCommand, PushRequest } from "./push-request.ts";

/** What became of one command: granted, or why not, in words for the person at the terminal. */
export interface PushVerdict {
  readonly command: PushCommand;
  /** Undefined: the ref moved. */
  readonly refusal: string | undefined;
  /** What moved in the place of the ref that was named. */
  readonly movedName?: string;
}

export interface PushOutcome {
  /** What is wrong with the pack as a whole; undefined when it was taken. */
  readonly unpackError: string | undefined;
  readonly verdicts: readonly PushVerdict[];
  /** Lines for the person, without `remote:` before them. */
  readonly messages: readonly string[];
}

const oneLine = (text: string): string => terminalText(text).replace(/\s*\n\s*/g, " ");

function verdictLines({ command, refusal, movedName }: PushVerdict, reports: PushRequest["reports"]): readonly string[] {
  if (refusal !== undefined) return [`ng ${command.name} ${oneLine(refusal)}`];
  return movedName === undefined || reports !== "report-status-v2" ? [`ok ${command.name}`] : [`ok ${command.name}`, `option refname ${movedName}`];
}

/** The answer to a push (gitprotocol-pack, Report Status), behind whatever was sent already. */
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
 * The answer to a push that takes its time, with a sign of life every `everyMs`. A failure that comes once the answer has begun can be no
 * status any more: it is told as the protocol's last words, so that the person sees more than a cut connection.
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

/** What the promise gives when it does so in time. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>();
  const handle = setTimeout(timer.resolve, ms, undefined);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

/** Says "still here" (an empty packet of the data band): proxies end connections on which nothing comes. */
export const keepAlive: Buffer = Buffer.from("0005\x01", "latin1");
