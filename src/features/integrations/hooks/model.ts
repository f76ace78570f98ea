/** In which format a receiver wants to hear. */
export const hookTypes = ["gitea", "gogs", "slack", "discord", "dingtalk", "telegram", "msteams", "feishu", "matrix", "wechatwork", "packagist"] as const;
export type HookType = (typeof hookTypes)[number];

export type ContentType = "json" | "form";

/** Whose webhooks: of a repository; of a user or an organization, for all of its repositories; of the server, for all there are; to be copied into new ones. */
export type HookOwner =
  | { readonly scope: "repository"; readonly repoId: number; readonly fullName: string }
  | { readonly scope: "owner"; readonly ownerId: number; readonly name: string }
  | { readonly scope: "server" };

/** A webhook as it is shown; its secrets are not. */
export interface HookView {
  readonly id: number;
  readonly scope: "repository" | "owner" | "system" | "default";
  readonly type: HookType;
  readonly name: string;
  /** Empty: it calls nobody, and its events are fetched. */
  readonly url: string;
  readonly contentType: ContentType;
  readonly settings: HookSettings;
  readonly events: readonly string[];
  readonly branchFilter: string;
  readonly isActive: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** What some types need besides an address, by the names that they have on the wire. */
export type HookSettings = Readonly<Record<string, string>>;

export type SettingName = "channel" | "username" | "icon_url" | "color" | "message_type" | "package_url";

/** The settings that a type has; those that it cannot be without are required. */
export const settingNames: Readonly<Record<HookType, { readonly required: readonly SettingName[]; readonly optional: readonly SettingName[] }>> = {
  gitea: { required: [], optional: [] },
  gogs: { required: [], optional: [] },
  slack: { required: ["channel"], optional: ["username", "icon_url", "color"] },
  discord: { required: [], optional: ["username", "icon_url"] },
  dingtalk: { required: [], optional: [] },
  telegram: { required: [], optional: [] },
  msteams: { required: [], optional: [] },
  feishu: { required: [], optional: [] },
  matrix: { required: [], optional: ["message_type"] },
  wechatwork: { required: [], optional: [] },
  packagist: { required: [], optional: ["package_url"] },
};

export interface NewHook {
  readonly type: string;
  readonly name: string;
  /** As the wire has it: address, content type, secret and settings by name. */
  readonly config: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly branchFilter: string;
  readonly authorizationHeader: string;
  readonly isActive: boolean;
}

/** Wishes for a webhook; what is null stays as it is. */
export interface HookEdit {
  readonly name: string | null;
  readonly config: Readonly<Record<string, string>> | null;
  readonly events: readonly string[] | null;
  readonly branchFilter: string;
  readonly authorizationHeader: string | null;
  readonly isActive: boolean | null;
}

/** Which of the server's webhooks. */
export type ServerHooks = "system" | "default" | "all";

export const deliveryStates = ["waiting", "refused", "delivered", "failed", "kept"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How far a webhook has been told of something. */
export interface DeliveryView {
  readonly id: number;
  readonly uuid: string;
  /** Null: it is not in words yet. */
  readonly sequence: number | null;
  readonly state: DeliveryState;
  readonly event: string;
  readonly eventType: string;
  readonly attempts: number;
  readonly nextAttemptMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdMs: number;
  readonly attemptedMs: number | null;
  /** JSON; undefined in lists. */
  readonly payload: string | undefined;
}

/** Something that a webhook is told, as it is fetched. */
export interface ToldEventView {
  readonly uuid: string;
  readonly sequence: number;
  readonly event: string;
  readonly eventType: string;
  /** JSON. */
  readonly payload: string;
  readonly createdMs: number;
}
