/** The payload format of a receiver. */
export const hookTypes = ["gitea", "gogs", "slack", "discord", "dingtalk", "telegram", "msteams", "feishu", "matrix", "wechatwork", "packagist"] as const;
export type HookType = (typeof hookTypes)[number];

export type ContentType = "json" | "form";

/** A webhook as shown, without its secrets. */
export interface HookView {
  readonly id: number;
  readonly scope: "repository" | "owner" | "system" | "default";
  readonly type: HookType;
  readonly name: string;
  /** Empty: nothing is sent, and the receiver fetches the events. */
  readonly url: string;
  readonly contentType: ContentType;
  readonly settings: HookSettings;
  readonly events: readonly string[];
  readonly branchFilter: string;
  readonly isActive: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Extra settings of some types, by their API names. */
export type HookSettings = Readonly<Record<string, string>>;

export type SettingName = "channel" | "username" | "icon_url" | "color" | "message_type" | "package_url";

/** The settings of each type; required ones must be set. */
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
  /** The API's config: address, content type, secret and settings by name. */
  readonly config: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly branchFilter: string;
  readonly authorizationHeader: string;
  readonly isActive: boolean;
}

/** Changes to a webhook; null fields stay unchanged. */
export interface HookEdit {
  readonly name: string | null;
  readonly config: Readonly<Record<string, string>> | null;
  readonly events: readonly string[] | null;
  readonly branchFilter: string;
  readonly authorizationHeader: string | null;
  readonly isActive: boolean | null;
}

/** A selection of the server's webhooks. */
export type ServerHooks = "system" | "default" | "all";

export const deliveryStates = ["waiting", "refused", "delivered", "failed", "kept"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery and its state. */
export interface DeliveryView {
  readonly id: number;
  readonly uuid: string;
  /** Null: not composed yet. */
  readonly sequence: number | null;
  readonly state: DeliveryState;
  readonly event: string;
  readonly eventType: string;
  readonly attempts: number;
  readonly nextAttemptMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** A `DeliveryFailure`; empty if none, or if recorded by an earlier version. */
  readonly failure: string;
  readonly durationMs: number | null;
  readonly createdMs: number;
  readonly attemptedMs: number | null;
  /** JSON; undefined in lists. */
  readonly payload: string | undefined;
}

/** An event as fetched by a receiver. */
export interface EventView {
  readonly uuid: string;
  readonly sequence: number;
  readonly event: string;
  readonly eventType: string;
  /** JSON. */
  readonly payload: string;
  readonly createdMs: number;
}
