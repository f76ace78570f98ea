import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath, organizationPath, repositoryPath, settingsPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Refusal } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { FormToken } from "../../../ui/page.ts";
import { Badges } from "../../../ui/repository-page.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import { sizeText } from "../../contents/views/file.ts";
import type { OrganizationView } from "../../orgs/view.ts";
import type { RepositoryView } from "../../repos/view.ts";
import { Find } from "./find.ts";

export interface OrganizationsFacts {
  readonly path: string;
  readonly organizations: readonly OrganizationView[];
  readonly total: number;
  readonly text: string;
  readonly page: Page;
}

/** Every organization. */
export function OrganizationsView({ path, organizations, total, text, page }: OrganizationsFacts): Html {
  const { administration: texts, organizations: words } = useTexts();
  return [
    h(Find, { path, text, label: texts.findName }, h("a", { class: "button", href: "/org/create" }, words.create)),
    h("p", { class: "soft" }, texts.countOrganizations(total)),
    organizations.length === 0 && h(Empty, { icon: "organization", title: texts.noOrganizations }),
    h(
      Rows,
      null,
      organizations.map(({ name, fullName, visibility, description }) =>
        h(
          Row,
          {
            action: h(
              "div",
              { class: "end" },
              h("a", { class: "button", href: organizationPath(name, "/members"), "aria-label": `${words.tabs.members}: ${name}` }, words.tabs.members),
              h("a", { class: "button", href: organizationPath(name, "/settings"), "aria-label": `${words.tabs.settings}: ${name}` }, words.tabs.settings),
            ),
          },
          h("a", { href: accountPath(name) }, h("strong", null, name)),
          h("span", { class: "soft" }, ` ${fullName} `),
          visibility !== "public" && h("span", { class: "badge" }, words.visibilities[visibility]),
          description !== "" && h("div", { class: "soft", dir: "auto" }, description),
        ),
      ),
    ),
    h(Pager, { path, query: { q: text }, page, total }),
  ];
}

export interface RepositoriesFacts {
  readonly path: string;
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly asked: { readonly q: string; readonly kind: string; readonly sort: string };
  readonly page: Page;
}

/** Every repository. */
export function RepositoriesView({ path, repositories, total, asked, page }: RepositoriesFacts): Html {
  const { administration: texts, forms, organizations: words, repository, language } = useTexts();
  const choices = [
    { name: "kind", label: texts.which, value: asked.kind, options: Object.entries(texts.repositoryKinds) },
    { name: "sort", label: texts.sort, value: asked.sort, options: Object.entries(texts.repositorySorts) },
  ];
  return [
    h(Find, { path, text: asked.q, label: texts.findName, choices }),
    h("p", { class: "soft" }, texts.countRepositories(total)),
    repositories.length === 0 && h(Empty, { icon: "repo", title: texts.noRepositories }),
    h(
      Rows,
      null,
      repositories.map((one) => {
        const place = { ownerName: one.owner.name, name: one.name };
        const of = `${place.ownerName}/${place.name}`;
        return h(
          Row,
          {
            action: h(
              "div",
              { class: "end" },
              h("a", { class: "button", href: settingsPath(place), "aria-label": `${words.tabs.settings}: ${of}` }, words.tabs.settings),
              h("a", { class: "button", href: settingsPath(place, "/delete"), "aria-label": `${forms.delete}: ${of}` }, forms.delete),
            ),
          },
          h("a", { href: repositoryPath(place) }, h("strong", null, of)),
          " ",
          h(Badges, one),
          h("div", { class: "soft" }, sizeText(one.sizeBytes, language), " · ", repository.updated, " ", h(Day, { ms: one.updatedMs })),
        );
      }),
    ),
    h(Pager, { path, query: asked, page, total }),
  ];
}

export interface UnadoptedFacts {
  readonly path: string;
  /** Full names. */
  readonly repositories: readonly string[];
  readonly total: number;
  readonly pattern: string;
  readonly refusal?: string | undefined;
  readonly page: Page;
  readonly formToken: string;
}

/** Repositories that lie on the disk and are nobody's. */
export function UnadoptedView({ path, repositories, total, pattern, refusal, page, formToken }: UnadoptedFacts): Html {
  const { administration: texts } = useTexts();
  return [
    refusal !== undefined && h(Refusal, { message: refusal }),
    h("p", { class: "soft" }, texts.unadoptedHint),
    h(Find, { path, text: pattern, label: texts.pattern }),
    repositories.length === 0 && h(Empty, { icon: "archive", title: texts.noUnadopted }),
    h(
      Rows,
      null,
      repositories.map((fullName) => {
        const at = `${path}/${fullName.split("/").map(encodeURIComponent).join("/")}`;
        return h(
          Row,
          { action: h(Do, { action: `${at}/adopt`, formToken, label: texts.adopt, of: fullName }) },
          h(Icon, { name: "archive" }),
          " ",
          h("strong", null, fullName),
          h(TakeOff, { action: `${at}/delete`, fullName, formToken }),
        );
      }),
    ),
    h(Pager, { path, query: { q: pattern }, page, total }),
  ];
}

/** The button stands behind a first click: nothing brings back what it takes. */
function TakeOff({ action, fullName, formToken }: { readonly action: string; readonly fullName: string; readonly formToken: string }): Html {
  const { administration: texts } = useTexts();
  return h(
    "details",
    null,
    h("summary", { class: "soft", "aria-label": `${texts.takeOff}: ${fullName}` }, texts.takeOff),
    h("p", { class: "soft" }, texts.takeOffHint),
    h(
      "form",
      { method: "post", action },
      h(FormToken, { value: formToken }),
      h("button", { class: "danger", type: "submit", "aria-label": `${texts.takeOff}: ${fullName}` }, texts.takeOff),
    ),
  );
}
