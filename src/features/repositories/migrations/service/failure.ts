import { isForgeError } from "../../../../core/errors.ts";
import type { MigrationFailure } from "../../../../core/failures.ts";
import { OutgoingError } from "../../../../outgoing/client.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import { remoteFailure } from "../../mirrors/service/remote.ts";
import { ForeignApiError } from "./foreign-server.ts";

/** The reason that the page of a failed migration explains; undefined for the general sentence. */
export function failureOf(error: unknown): MigrationFailure | undefined {
  if (error instanceof OutgoingError) return { code: error.reason };
  if (error instanceof ForeignApiError) return { code: error.failure };
  if (error instanceof RemoteError) return error.reason === "status" ? { code: "status", status: error.status ?? 0 } : { code: error.reason };
  if (!isForgeError(error)) return undefined;
  const { reason, code, options } = error;
  if (typeof reason === "object" && (reason.code === "owner_storage_limit" || reason.code === "repository_limit")) return reason;
  if (reason === "repository_exists") return { code: "repository_exists" };
  if (reason === "user_not_found" || code === "not_found") return { code: "owner_not_found" };
  if (code === "forbidden") return { code: "not_permitted" };
  const maxBytes = options.meta?.maxBytes;
  if (code === "too_large" && typeof maxBytes === "number") return { code: "too_large", maxBytes };
  return remoteFailure(error) && { code: "contents" };
}
