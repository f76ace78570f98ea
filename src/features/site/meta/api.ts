import type { Config } from "../../../config/config.ts";
import { notFound, unauthenticated } from "../../../core/errors.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { anyone } from "../../../http/access.ts";
import { json, raw } from "../../../http/answers.ts";
import { describeApi } from "../../../http/description.ts";
import type { HttpMetrics } from "../../../http/metrics.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { GeneralAPISettings, GeneralAttachmentSettings, GeneralRepoSettings, GeneralUISettings, NodeInfo, ServerVersion } from "../../../wire/meta.ts";
import { defaultTheme } from "../../accounts/users/model.ts";
import { allowedReactions } from "../../collaboration/issues/reactions/allowed-reactions.ts";
import { presentNodeInfo } from "./present.ts";
import { attachmentSettings, serverVersion } from "./server-details.ts";
import { countUsers, createHealthCheck, createReadinessCheck, type Health, type ReadinessDeps } from "./service.ts";

export interface MetaDeps extends ReadinessDeps {
  readonly config: Config;
  readonly db: Db;
  readonly urls: Urls;
  readonly metrics: HttpMetrics;
  /** Every route of the server, for the description. */
  readonly allRoutes: () => readonly Route[];
}

/** Version, settings, API description, health and metrics. */
export function metaRoutes(deps: MetaDeps): readonly Route[] {
  return [versionRoute(), ...settingsRoutes(deps), ...descriptionRoutes(deps.allRoutes), ...nodeInfoRoutes(deps), ...operatorRoutes(deps)];
}

const versionRoute = (): Route =>
  defineRoute({
    id: "getVersion",
    method: "GET",
    path: "/version",
    tag: "miscellaneous",
    summary: "Get the versions of the API and of the server",
    access: anyone,
    scope: "none",
    answers: json(200, ServerVersion),
    handle: () => ({ version: serverVersion }),
  });

function settingsRoutes({ config }: MetaDeps): Route[] {
  return [
    defineRoute({
      id: "getGeneralAPISettings",
      method: "GET",
      path: "/settings/api",
      tag: "settings",
      summary: "Get the limits of the API",
      access: anyone,
      scope: "none",
      answers: json(200, GeneralAPISettings),
      handle: () => ({
        max_response_items: config.limits.page_max,
        default_paging_num: config.limits.page_default,
        default_git_trees_per_page: 1_000,
        default_max_blob_size: config.repositories.max_blob_bytes,
        default_max_response_size: 104_857_600,
      }),
    }),
    defineRoute({
      id: "getGeneralUISettings",
      method: "GET",
      path: "/settings/ui",
      tag: "settings",
      summary: "Get the settings of the pages",
      access: anyone,
      scope: "none",
      answers: json(200, GeneralUISettings),
      handle: () => ({
        default_theme: defaultTheme,
        allowed_reactions: [...allowedReactions],
        custom_emojis: ["git", "gitea", "codeberg", "gitlab", "github", "gogs"],
      }),
    }),
    defineRoute({
      id: "getGeneralAttachmentSettings",
      method: "GET",
      path: "/settings/attachment",
      tag: "settings",
      summary: "Get the settings of attachments",
      access: anyone,
      scope: "none",
      answers: json(200, GeneralAttachmentSettings),
      handle: () => attachmentSettings(config),
    }),
    defineRoute({
      id: "getGeneralRepositorySettings",
      method: "GET",
      path: "/settings/repository",
      tag: "settings",
      summary: "Get the settings of repositories",
      access: anyone,
      scope: "none",
      answers: json(200, GeneralRepoSettings),
      handle: () => ({
        mirrors_disabled: false,
        http_git_disabled: false,
        migrations_disabled: false,
        stars_disabled: false,
        time_tracking_disabled: false,
        lfs_disabled: !config.lfs.enabled,
      }),
    }),
  ];
}

function descriptionRoutes(routes: () => readonly Route[]): Route[] {
  let text: string | undefined;
  const description = (): string => {
    text ??= `${JSON.stringify(describeApi(routes()))}\n`;
    return text;
  };
  const served = {
    status: 200,
    headers: { "content-type": "application/json;charset=utf-8", "x-content-type-options": "nosniff", "cache-control": "no-cache" },
  };
  return [
    defineRoute({
      ...openDocument,
      id: "swaggerDescription",
      path: "/swagger.v1.json",
      summary: "The description of the API",
      answers: raw(["application/json"]),
      handle: () => ({ ...served, body: description() }),
    }),
    defineRoute({
      ...openDocument,
      id: "swaggerRedirect",
      path: "/api/v1/swagger",
      summary: "The previous address of the description",
      answers: raw(["text/html"], 303),
      handle: () => ({ status: 303, headers: { location: "/api/swagger" } }),
    }),
  ];
}

/**
 * The well-known address links to the document. @compat Gitea returns 404 for `/api/v1/nodeinfo` if federation is off
 * (meta/api.test.ts)
 */
function nodeInfoRoutes(deps: MetaDeps): Route[] {
  const common = { method: "GET", tag: "miscellaneous", isUnlisted: true, access: anyone, scope: "none" } as const;
  return [
    defineRoute({
      ...common,
      id: "nodeInfoLinks",
      mount: "root",
      path: "/.well-known/nodeinfo",
      summary: "The address of the node information",
      answers: raw(["application/json"]),
      handle: () => ({
        status: 200,
        headers: { "content-type": "application/json;charset=utf-8" },
        body: `${JSON.stringify({ links: [{ href: deps.urls.web("nodeinfo", "2.1"), rel: "http://nodeinfo.diaspora.software/ns/schema/2.1" }] })}\n`,
      }),
    }),
    defineRoute({
      ...common,
      id: "nodeInfo",
      mount: "root",
      path: "/nodeinfo/2.1",
      summary: "Get the NodeInfo document",
      answers: json(200, NodeInfo),
      handle: async () => presentNodeInfo(await countUsers(deps)),
    }),
  ];
}

function operatorRoutes(deps: MetaDeps): Route[] {
  const common = { ...openDocument, answers: raw(["text/plain"]) } as const;
  const checkHealth = createHealthCheck(deps);
  const checkReadiness = createReadinessCheck(deps, checkHealth);
  return [
    defineRoute({
      ...common,
      id: "healthz",
      path: "/api/healthz",
      summary: "Check the server's health",
      handle: async () => replyOf(await checkHealth()),
    }),
    defineRoute({
      ...common,
      id: "readyz",
      path: "/api/readyz",
      summary: "Check whether the server can take requests",
      handle: async () => replyOf(await checkReadiness()),
    }),
    defineRoute({
      ...common,
      id: "metrics",
      path: "/metrics",
      summary: "Get metrics in the Prometheus format",
      handle: async ({ headers }) => {
        const { enabled, token } = deps.config.metrics;
        if (!enabled) throw notFound();
        if (token !== "" && headers.authorization !== `Bearer ${token}`) throw unauthenticated("the metrics need their bearer token");
        const { contentType, text } = await deps.metrics.expose();
        return { status: 200, headers: { "content-type": contentType }, body: text };
      },
    }),
  ];
}

const replyOf = (health: Health) => ({
  status: health.status === "fail" ? 503 : 200,
  headers: { "content-type": "application/json;charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(health)}\n`,
});
