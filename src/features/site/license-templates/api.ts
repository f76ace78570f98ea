import type { Urls } from "../../../core/urls.ts";
import { anyone } from "../../../http/access.ts";
import { json, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { text } from "../../../wire/schema.ts";
import { GitignoreTemplateInfo, LabelTemplate, LicensesTemplateListEntry, LicenseTemplateInfo } from "../../../wire/templates.ts";
import { listGitignores } from "./gitignores.ts";
import { listLabelSets } from "./labels.ts";
import { listLicenses } from "./licenses.ts";
import { presentGitignore, presentLabelTemplate, presentLicense, presentLicenseEntry } from "./present.ts";
import { getGitignore, getLabelSet, getLicense } from "./service.ts";

const whole = <T>(items: readonly T[]) => ({ items, total: items.length });

export function templateRoutes(deps: { readonly urls: Urls }): readonly Route[] {
  const { urls } = deps;
  const shared = { method: "GET", tag: "miscellaneous", access: anyone, scope: "none" } as const;
  return [
    defineRoute({
      ...shared,
      id: "listGitignoresTemplates",
      path: "/gitignore/templates",
      summary: "List the names of the gitignore templates",
      answers: list(text(), "none"),
      handle: async () => whole(await listGitignores()),
    }),
    defineRoute({
      ...shared,
      id: "getGitignoreTemplateInfo",
      path: "/gitignore/templates/{name}",
      summary: "Get a gitignore template",
      answers: json(200, GitignoreTemplateInfo),
      refusals: { 404: "notFound" },
      handle: async ({ params }) => presentGitignore(await getGitignore(params.name)),
    }),
    defineRoute({
      ...shared,
      id: "listLicenseTemplates",
      path: "/licenses",
      summary: "List the license templates",
      answers: list(LicensesTemplateListEntry, "none"),
      handle: async () => whole((await listLicenses()).map((license) => presentLicenseEntry(license, urls))),
    }),
    defineRoute({
      ...shared,
      id: "getLicenseTemplateInfo",
      path: "/licenses/{name}",
      summary: "Get a license template",
      answers: json(200, LicenseTemplateInfo),
      refusals: { 404: "notFound" },
      handle: async ({ params }) => presentLicense(await getLicense(params.name), urls),
    }),
    defineRoute({
      ...shared,
      id: "listLabelTemplates",
      path: "/label/templates",
      summary: "List the names of the label sets",
      answers: list(text(), "none"),
      handle: () => whole(listLabelSets()),
    }),
    defineRoute({
      ...shared,
      id: "getLabelTemplateInfo",
      path: "/label/templates/{name}",
      summary: "List the labels of a set",
      answers: list(LabelTemplate, "none"),
      refusals: { 404: "notFound" },
      handle: ({ params }) => whole(getLabelSet(params.name).map(presentLabelTemplate)),
    }),
  ];
}
