import { signedIn } from "../../../http/access.ts";
import { json } from "../../../http/answers.ts";
import { Moved } from "../../../http/authorize.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Repository } from "../../../wire/repository.ts";
import { GenerateRepoOption } from "../../../wire/repository-options.ts";
import { presentNewCopy } from "../repos/present.ts";
import { findRepository } from "../repos/service/find.ts";
import { type GenerateDeps, type GenerateInput, generateRepository, type TemplateItem } from "./service/generate.ts";

export function repositoryTemplateRoutes(deps: GenerateDeps): Route[] {
  return [
    defineRoute({
      id: "generateRepo",
      method: "POST",
      path: "/repos/{template_owner}/{template_repo}/generate",
      tag: "repository",
      summary: "Create a repository from a template",
      access: signedIn,
      scope: "repository",
      body: GenerateRepoOption,
      answers: json(201, Repository),
      refusals: { 301: "redirect", 307: "redirect", 403: "forbidden", 404: "unknownOwner", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, params, body }) => {
        const found = await findRepository(deps, params.template_owner, params.template_repo, actor);
        if ("movedTo" in found) throw movedTo(found.movedTo, found.isAccountRenamed);
        return presentNewCopy(await generateRepository(deps, actor, found.subject, readInput(body)), actor, deps.urls);
      },
    }),
  ];
}

function movedTo(fullName: string, isAccountRenamed: boolean): Moved {
  const [template_owner = "", template_repo = ""] = fullName.split("/");
  return new Moved({ template_owner, template_repo }, isAccountRenamed ? 307 : 301);
}

const items = ["git_content", "topics", "git_hooks", "webhooks", "avatar", "labels", "protected_branch"] as const satisfies readonly TemplateItem[];

const readInput = (body: GenerateRepoOption): GenerateInput => ({
  owner: body.owner,
  name: body.name,
  description: body.description,
  isPrivate: body.private,
  defaultBranch: body.default_branch,
  items: new Set(items.filter((item) => body[item])),
});
