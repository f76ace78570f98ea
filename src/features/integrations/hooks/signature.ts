import { createHmac } from "node:crypto";

/** The input for the signatures of a delivery attempt. */
export interface Signed {
  readonly uuid: string;
  readonly sequence: number;
  readonly event: string;
  readonly eventType: string;
  readonly targetType: "repository" | "organization" | "user" | "system";
  /** The JSON, which is signed even if it is sent in a form. */
  readonly payload: string;
  readonly body: string;
  /** The signing secrets, the current one first. */
  readonly secrets: readonly string[];
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number;
}

const hmac = (algorithm: "sha1" | "sha256", secret: string | Uint8Array, text: string) => createHmac(algorithm, secret).update(text);

/** @compat header prefixes that receivers for other forges expect (hooks/deliveries.test.ts) */
const families = ["Gitea", "Gogs", "GitHub"] as const;

/** The headers that identify and sign a delivery: the ones that clients know, and those of Standard Webhooks. */
export function signatureHeaders(given: Signed): Readonly<Record<string, string>> {
  const { uuid, sequence, event, eventType, targetType, payload, secrets } = given;
  const [secret] = secrets;
  const sha256 = secret === undefined ? "" : hmac("sha256", secret, payload).digest("hex");
  const sha1 = secret === undefined ? "" : hmac("sha1", secret, payload).digest("hex");
  const named = families.flatMap((family) => [
    [`X-${family}-Delivery`, uuid],
    [`X-${family}-Event`, event],
    [`X-${family}-Event-Type`, eventType],
  ]);
  return {
    ...Object.fromEntries(named),
    "X-Gitea-Hook-Installation-Target-Type": targetType,
    "X-GitHub-Hook-Installation-Target-Type": targetType,
    "X-Gitea-Signature": sha256,
    "X-Gogs-Signature": sha256,
    "X-Hub-Signature": `sha1=${sha1}`,
    "X-Hub-Signature-256": `sha256=${sha256}`,
    "X-Hearth-Sequence": String(sequence),
    ...standardHeaders(given),
  };
}

/** Standard Webhooks 1.0: every valid secret signs, so that receivers can change theirs at any time. */
export function standardHeaders({ uuid, timestamp, body, secrets }: Pick<Signed, "uuid" | "timestamp" | "body" | "secrets">): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => `v1,${hmac("sha256", keyOf(secret), `${uuid}.${timestamp}.${body}`).digest("base64")}`);
  return {
    "webhook-id": uuid,
    "webhook-timestamp": String(timestamp),
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  };
}

/** `whsec_` and base64, or the bytes of any other string. */
const keyOf = (secret: string): Uint8Array => (secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret));
