import { invalid } from "../../../../core/errors.ts";
import { parseGlob } from "../../../../core/glob.ts";
import { checkLength, isLongerThan, lengths } from "../../../../core/lengths.ts";
import { readWebAddress } from "../../../../core/web-address.ts";
import { readEvents } from "../event-names.ts";
import { type ContentType, type HookEdit, type HookSettings, type HookType, type HookView, hookTypes, type NewHook, settingNames } from "../model.ts";

/** The validated fields of a webhook, in order. */
export type Checked = Pick<HookView, "type" | "name" | "url" | "contentType" | "settings" | "events" | "branchFilter">;

type Config = NewHook["config"];

/** @throws ForgeError `invalid` */
export function checkNewHook({ type, name, config, events, branchFilter, authorizationHeader }: NewHook): Checked {
  checkBranchFilter(branchFilter);
  if (!isHookType(type)) throw invalid(`Invalid hook type: ${type}`);
  checkSecrets(authorizationHeader, config);
  const isFetched = config.delivery === "pull";
  for (const option of isFetched ? ["content_type"] : ["url", "content_type"]) if (config[option] === undefined) throw missing(option);
  const contentType = readContentType(config);
  const url = isFetched ? "" : readUrl(config);
  return { type, name, url, contentType, settings: readSettings(type, config, {}), events: readEvents(events), branchFilter };
}

/** @throws ForgeError `invalid` */
export function checkEdit(present: HookView, { name, config, events, branchFilter, authorizationHeader }: HookEdit): Checked {
  checkBranchFilter(branchFilter);
  checkSecrets(authorizationHeader ?? "", config ?? {});
  return {
    type: present.type,
    name: name ?? present.name,
    url: config?.url === undefined ? present.url : readUrl(config),
    contentType: config?.content_type === undefined ? present.contentType : readContentType(config),
    settings: config === null ? present.settings : readSettings(present.type, config, present.settings),
    // @compat an edit resets omitted fields to their defaults (hooks/api.test.ts)
    events: readEvents(events ?? []),
    branchFilter,
  };
}

const missing = (option: string) => invalid(`Missing config option: ${option}`, { reason: "required", field: option });

const isHookType = (type: string): type is HookType => (hookTypes as readonly string[]).includes(type);

function readContentType({ content_type: type }: Config): ContentType {
  if (type !== "json" && type !== "form") throw invalid("Invalid content type");
  return type;
}

/** The stored and called address is the normalized one from the URL parser. */
function readUrl({ url = "" }: Config): string {
  const address = isLongerThan(url, lengths.address) ? undefined : readWebAddress(url);
  if (address === undefined) throw invalid("Invalid url", { reason: "invalid_url", field: "url" });
  return address.href;
}

function readSettings(type: HookType, config: Config, present: HookSettings): HookSettings {
  const { required, optional } = settingNames[type];
  const settings: Record<string, string> = { ...present };
  for (const name of [...required, ...optional]) {
    const value = config[name];
    if (value !== undefined) settings[name] = value.trim();
    if (value !== undefined) checkLength(`setting_${name}`, value, lengths.secret);
  }
  for (const name of required) if ((settings[name] ?? "") === "") throw missing(name);
  return settings;
}

/** Header values and secrets must be a single line. */
function checkSecrets(authorizationHeader: string, { secret = "" }: Config): void {
  for (const [field, text] of Object.entries({ AuthorizationHeader: authorizationHeader, Secret: secret })) {
    if (/\p{Cc}/u.test(text)) throw invalid(`[${field}]: no line breaks or other control characters`, { reason: "single_line" });
    checkLength(field, text, lengths.secret);
  }
  if (!/^[\x20-\x7e\xa0-\xff]*$/.test(authorizationHeader))
    throw invalid("[AuthorizationHeader]: only characters that are allowed in a header", { reason: "header_characters" });
}

function checkBranchFilter(filter: string): void {
  if (parseBranchFilter(filter) !== undefined) return;
  // @compat the only message that clients know (hooks/api.test.ts)
  throw invalid(`[BranchFilter]: ${filter.includes("[") && !filter.includes("]") ? "unterminated character class" : "the pattern is invalid"}`, {
    reason: "invalid_pattern",
  });
}

/** An empty filter matches all branches. */
export const parseBranchFilter = (filter: string) => parseGlob(filter === "" ? "**" : filter, { separators: "" });
