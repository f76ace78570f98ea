import { repository } from "../../../../http/access.ts";
import { json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { IssueConfig, IssueConfigValidation, IssueTemplate } from "../../../../wire/issue-template.ts";
import { listTemplates, readConfig, type TemplateDeps } from "./service.ts";
import type { IssueTemplateView } from "./template.ts";

/** Issue templates and configuration from the default branch of a repository. */
export function issueTemplateRoutes(deps: TemplateDeps): Route[] {
  const reader = repository.reader("repo.code");
  return [
    defineRoute({
      id: "repoGetIssueTemplates",
      method: "GET",
      path: "/repos/{owner}/{repo}/issue_templates",
      tag: "repository",
      summary: "List the issue templates of the default branch, including forms",
      access: reader,
      scope: "repository",
      answers: { ...list(IssueTemplate, "none"), isNullable: true },
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => {
        const { templates, invalid } = await listTemplates(deps, repository);
        // @compat Gitea names only the count; the paths and problems are on the page that lists the templates (templates/api.test.ts).
        const warning = invalid.length === 0 ? undefined : `error occurs when parsing issue template: count=${invalid.length}`;
        // @compat a repository without templates answers null, not an empty list (templates/api.test.ts)
        return { items: templates.length === 0 ? null : templates.map(presentTemplate), total: templates.length, warning };
      },
    }),
    defineRoute({
      id: "repoGetIssueConfig",
      method: "GET",
      path: "/repos/{owner}/{repo}/issue_config",
      tag: "repository",
      summary: "Get the issue configuration: whether blank issues are allowed, and contact links",
      access: reader,
      scope: "repository",
      answers: json(200, IssueConfig),
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => {
        const { config } = await readConfig(deps, repository);
        return { blank_issues_enabled: config.allowsBlank, contact_links: [...config.contactLinks] };
      },
    }),
    defineRoute({
      id: "repoValidateIssueConfig",
      method: "GET",
      path: "/repos/{owner}/{repo}/issue_config/validate",
      tag: "repository",
      summary: "Validate the issue configuration",
      access: reader,
      scope: "repository",
      answers: json(200, IssueConfigValidation),
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => {
        const { problem } = await readConfig(deps, repository);
        return { valid: problem === undefined, message: problem ?? "" };
      },
    }),
  ];
}

const presentTemplate = (template: IssueTemplateView): IssueTemplate => ({
  name: template.name,
  title: template.title,
  about: template.about,
  labels: template.labels,
  assignees: template.assignees,
  ref: template.ref,
  content: template.content,
  body:
    template.fields === null ? null : template.fields.map(({ type, id, attributes, validations, visible }) => ({ type, id, attributes, validations, visible })),
  file_name: template.fileName,
});
