import { repository } from "../../../../http/access.ts";
import { json } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { mapOf, text } from "../../../../wire/schema.ts";
import { readEditorSettings } from "../service/editor-settings.ts";
import type { ViewpointDeps } from "../service/viewpoint.ts";

/** The settings returned, in this order. */
const shownSettings = ["charset", "indent_style", "indent_size", "end_of_line"] as const;

export function editorSettingsRoutes(deps: ViewpointDeps): Route[] {
  return [
    defineRoute({
      id: "repoGetEditorConfig",
      method: "GET",
      path: "/repos/{owner}/{repo}/editorconfig/{filepath+}",
      tag: "repository",
      summary: "Get the .editorconfig properties of a path",
      access: repository.reader("repo.code"),
      scope: "repository",
      query: { ref: query.text("a branch, tag or commit; the default branch if omitted") },
      answers: json(200, mapOf(text())),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params, query }) => {
        const settings = await readEditorSettings(deps, repository, { path: params.filepath, rev: query.ref ?? "" });
        return Object.fromEntries(shownSettings.flatMap((name) => (settings.has(name) ? [[name, settings.get(name) ?? ""]] : [])));
      },
    }),
  ];
}
