import { isForgeError } from "../../core/errors.ts";
import { newBatch } from "../../db/row-batch.ts";
import { eventNames } from "../../features/integrations/hooks/event-names.ts";
import { checkNewHook } from "../../features/integrations/hooks/service/check.ts";
import { sealHookSecret } from "../../features/integrations/hooks/service/hooks.ts";
import type { Conversion } from "./context.ts";
import { recordOf } from "./json.ts";
import type { Known } from "./repository-relations.ts";
import { openSecret } from "./secrets.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";
import type { Writes } from "./writes.ts";

/** Webhooks of repositories, accounts and the server, with their secrets. */
export async function addHooks(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { source, report, sealer } = conversion;
  const batch = newBatch();
  for (const row of await source.database.all("select * from webhook order by id")) {
    const shownAs = hostOf(textOf(row.url));
    const [repoId, ownerId] = [numberOf(row.repo_id), numberOf(row.owner_id)];
    const scope = repoId > 0 ? "repository" : ownerId > 0 ? "owner" : flagOf(row.is_system_webhook) === 1 ? "system" : "default";
    if ((scope === "repository" && !known.repositories.has(repoId)) || (scope === "owner" && !known.accounts.kinds.has(ownerId))) {
      report.without("webhooks without a repository or an owner", shownAs);
      continue;
    }
    const header = openHeader(conversion, row, shownAs);
    const checked = check(row, header);
    if (checked === undefined) {
      report.without("webhooks that Hearth cannot send: add them again", `${textOf(row.type)} to ${shownAs}`);
      continue;
    }
    const secret = textOf(row.secret);
    batch.add("hooks", {
      id: numberOf(row.id),
      repo_id: scope === "repository" ? repoId : null,
      owner_id: scope === "owner" ? ownerId : null,
      scope,
      type: checked.type,
      name: checked.name,
      url: checked.url,
      content_type: checked.contentType,
      settings: JSON.stringify(checked.settings),
      events: JSON.stringify(checked.events),
      branch_filter: checked.branchFilter,
      authorization_header: sealHookSecret(sealer, "authorization", header),
      secret: sealHookSecret(sealer, "secret", secret),
      former_secret: null,
      former_secret_until_ms: null,
      is_active: flagOf(row.is_active),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  report.count("webhooks", batch.size("hooks"));
  writes.rows(batch);
}

/** An address may contain a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "an invalid address");

function openHeader({ source, report }: Conversion, row: ForeignRow, shownAs: string): string {
  const sealed = textOf(row.header_authorization_encrypted);
  if (sealed === "") return "";
  const header = openSecret(source.places.secretKey, sealed);
  if (header === undefined) report.without("authorization headers of webhooks that SECRET_KEY does not open: set them again", shownAs);
  return header ?? "";
}

const contentTypes: Readonly<Record<number, string>> = { 1: "json", 2: "form" };
const messageTypes: Readonly<Record<number, string>> = { 1: "m.notice", 2: "m.text" };

/** The same checks as for a new webhook. Undefined for one that they refuse, and for requests other than POST of a type that Hearth sends by POST. */
function check(row: ForeignRow, authorizationHeader: string) {
  const chosen = recordOf(row.events);
  const flags = typeof chosen.events === "object" && chosen.events !== null ? (chosen.events as Record<string, unknown>) : {};
  const events =
    chosen.send_everything === true ? [...eventNames] : chosen.push_only === true ? ["push"] : Object.keys(flags).filter((name) => flags[name] === true);
  const meta = Object.entries(recordOf(row.meta)).flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value] as const] : []));
  const messageType = messageTypes[Number(recordOf(row.meta).message_type)];
  try {
    return {
      ...checkNewHook({
        type: textOf(row.type) || "gitea",
        name: textOf(row.name),
        config: {
          ...Object.fromEntries(meta),
          ...(messageType !== undefined && { message_type: messageType }),
          url: textOf(row.url),
          content_type: contentTypes[numberOf(row.content_type)] ?? "json",
          secret: textOf(row.secret),
        },
        events: [],
        branchFilter: typeof chosen.branch_filter === "string" ? chosen.branch_filter : "",
        authorizationHeader,
        isActive: true,
      }),
      // Names in the database select one event each, unlike those in requests.
      events: eventNames.filter(
        (name) =>
          events.includes(name) ||
          (name === "pull_request_review" && events.some((event) => event.startsWith("pull_request_review_") && event !== "pull_request_review_request")),
      ),
    };
  } catch (error) {
    if (isForgeError(error, "invalid")) return undefined;
    throw error;
  }
}
