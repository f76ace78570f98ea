import type { Config } from "../../../../config/config.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { DeliveryFailure } from "../../../../core/failures.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { type OutgoingAnswer, type OutgoingClient, OutgoingError, readAtMost } from "../../../../outgoing/client.ts";
import { bodyOf } from "../formats/body.ts";
import { type Signed, signatureHeaders } from "../signature.ts";
import type { CalledHook, DueDelivery } from "../store/deliveries.ts";
import { openSecrets } from "./hooks.ts";

export interface SendDeps {
  readonly config: Pick<Config, "webhook">;
  readonly sealer: Sealer;
  readonly webhookClient: OutgoingClient;
}

/** The time of an attempt, and the signal that aborts it. */
export interface Moment {
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The result of an attempt. */
export interface Outcome {
  /**
   * `delivered`; `refused`: the receiver responded with an error; `away`: it did not respond, so later deliveries wait; `gone`: it has
   * unsubscribed; `unsendable`: no request can be sent.
   */
  readonly kind: "delivered" | "refused" | "away" | "gone" | "unsendable";
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly failure: DeliveryFailure | "";
  /** From the receiver's `Retry-After`. */
  readonly retryAfterMs: number;
  readonly durationMs: number;
}

const maxAnswerBytes = 65_536;
const maxRetryAfterMs = 86_400_000;
/** Statuses for temporary failures. */
const later = new Set([408, 425, 429]);

/** Makes one delivery attempt. Rejects only when the signal aborts it, never because of the receiver. */
export async function send(deps: SendDeps, hook: CalledHook, delivery: DueDelivery, { nowMs, signal }: Moment): Promise<Outcome> {
  const { config, sealer, webhookClient } = deps;
  const startedAt = performance.now();
  const ended = (outcome: Partial<Outcome> & Pick<Outcome, "kind">): Outcome => ({
    status: null,
    body: null,
    error: null,
    failure: "",
    retryAfterMs: 0,
    ...outcome,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const { authorizationHeader, secrets } = openSecrets(sealer, hook, nowMs);
    const { method, url, contentType, body } = bodyOf(hook, delivery);
    const signed: Signed = { ...delivery, body, secrets, targetType: targetOf(hook), timestamp: Math.floor(nowMs / 1_000) };
    const headers = {
      "User-Agent": "Hearth-Webhook",
      "Content-Type": contentType,
      "Content-Length": String(Buffer.byteLength(body)),
      ...signatureHeaders(signed),
      ...(authorizationHeader !== undefined && { Authorization: authorizationHeader }),
    };
    const answer = await webhookClient.send({ method, url: new URL(url), headers, body, timeoutMs: config.webhook.timeout_seconds * 1_000, signal });
    return ended(await evaluate(answer, nowMs));
  } catch (error) {
    if (error instanceof OutgoingError) return ended({ kind: error.reason === "blocked" ? "unsendable" : "away", error: error.message, failure: error.reason });
    if (isForgeError(error, "invalid")) return ended({ kind: "unsendable", error: error.message, failure: "unsendable" });
    throw error;
  }
}

async function evaluate(answer: OutgoingAnswer, nowMs: number): Promise<Partial<Outcome> & Pick<Outcome, "kind">> {
  const { status, headers } = answer;
  // The response is stored for display. A truncated body does not change the result.
  const text = await readAtMost(answer, maxAnswerBytes).then(
    ({ bytes }) => bytes.toString("utf8").replaceAll("\0", ""),
    () => "",
  );
  const response = { status, body: text.toWellFormed() };
  if (status >= 200 && status < 300) return { ...response, kind: "delivered" };
  if (status === 410) return { ...response, kind: "gone", error: "410: the receiver has unsubscribed, and the webhook is deactivated", failure: "gone" };
  const problem =
    status >= 300 && status < 400
      ? ({ error: `${status}: redirects are not followed`, failure: "redirect" } as const)
      : ({ error: `${status}`, failure: "status" } as const);
  if (status < 500 && !later.has(status)) return { ...response, kind: "refused", ...problem };
  return { ...response, kind: "away", ...problem, retryAfterMs: readRetryAfter(headers["retry-after"], nowMs) };
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  const wishMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(wishMs) ? Math.min(Math.max(wishMs, 0), maxRetryAfterMs) : 0;
}

const targetOf = ({ scope, isOfOrganization }: CalledHook): Signed["targetType"] => {
  if (scope === "repository") return "repository";
  if (scope === "owner") return isOfOrganization ? "organization" : "user";
  return "system";
};
