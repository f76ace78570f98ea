import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { organizationPath, repositoryPath, settingsPath } from "../../../../ui/addresses.ts";
import { Account } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { Badges } from "../../../../ui/repository-page.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { OrganizationView } from "../../../organizations/orgs/model.ts";
import { orgTexts } from "../../../organizations/orgs/texts/texts.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { exploreTexts } from "../../../repositories/repos/texts/texts.ts";
import { adminTexts } from "../texts/texts.ts";
import { Find } from "./find.tsx";

export interface OrganizationsProps {
  readonly path: string;
  readonly organizations: readonly OrganizationView[];
  readonly total: number;
  readonly text: string;
  readonly page: Page;
}

export function OrganizationsView({ path, organizations, total, text, page }: OrganizationsProps): Html {
  const texts = useTexts(adminTexts);
  const words = useTexts(sharedTexts).organization;
  const org = useTexts(orgTexts);
  return (
    <>
      <Find path={path} text={text} label={texts.findName}>
        <a class="button primary" href="/org/create">
          {words.create}
        </a>
      </Find>
      <p class="soft">{texts.countOrganizations(total)}</p>
      {organizations.length === 0 && (
        <Empty icon="organization" title={texts.noOrganizations}>
          <p>
            <a href={path}>{texts.kinds[""]}</a>
          </p>
        </Empty>
      )}
      <Rows>
        {organizations.map(({ name, fullName, email, avatar, visibility, description }) => (
          <Row
            action={
              <div class="end">
                <a class="button" href={organizationPath(name, "/members")} aria-label={`${words.tabs.members}: ${name}`}>
                  {words.tabs.members}
                </a>
                <a class="button" href={organizationPath(name, "/settings")} aria-label={`${words.tabs.settings}: ${name}`}>
                  {words.tabs.settings}
                </a>
              </div>
            }
          >
            <Account account={{ name, fullName, email, avatar, kind: "organization" }} />
            {visibility !== "public" && <span class="badge">{org.visibilities[visibility]}</span>}
            {description !== "" && (
              <div class="soft" dir="auto">
                {description}
              </div>
            )}
          </Row>
        ))}
      </Rows>
      <Pager path={path} query={{ q: text }} page={page} total={total} />
    </>
  );
}

export interface RepositoriesProps {
  readonly path: string;
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly requested: { readonly q: string; readonly kind: string; readonly sort: string };
  readonly page: Page;
}

export function RepositoriesView({ path, repositories, total, requested, page }: RepositoriesProps): Html {
  const language = useLanguage();
  const texts = useTexts(adminTexts);
  const { forms, organization: words } = useTexts(sharedTexts);
  const repository = useTexts(exploreTexts);
  const choices = [
    { name: "kind", label: texts.which, value: requested.kind, options: Object.entries(texts.repositoryKinds) },
    { name: "sort", label: texts.sort, value: requested.sort, options: Object.entries(texts.repositorySorts) },
  ];
  return (
    <>
      <Find path={path} text={requested.q} label={texts.findName} choices={choices} />
      <p class="soft">{texts.countRepositories(total)}</p>
      {repositories.length === 0 && (
        <Empty icon="repo" title={texts.noRepositories}>
          <p>
            <a href={path}>{texts.repositoryKinds[""]}</a>
          </p>
        </Empty>
      )}
      <Rows>
        {repositories.map((one) => {
          const place = { ownerName: one.owner.name, name: one.name };
          const of = `${place.ownerName}/${place.name}`;
          return (
            <Row
              action={
                <div class="end">
                  <a class="button" href={settingsPath(place)} aria-label={`${words.tabs.settings}: ${of}`}>
                    {words.tabs.settings}
                  </a>
                  <a class="button" href={settingsPath(place, "/delete")} aria-label={`${forms.delete}: ${of}`}>
                    {forms.delete}
                  </a>
                </div>
              }
            >
              <a href={repositoryPath(place)}>
                <strong>{of}</strong>
              </a>{" "}
              <Badges {...one} />
              <div class="soft">
                {sizeText(one.sizeBytes, language)}
                {" · "}
                {repository.updated} <Day ms={one.updatedMs} />
              </div>
            </Row>
          );
        })}
      </Rows>
      <Pager path={path} query={requested} page={page} total={total} />
    </>
  );
}

export interface UnadoptedProps {
  readonly path: string;
  /** Full names. */
  readonly repositories: readonly string[];
  readonly total: number;
  readonly pattern: string;
  readonly refusal?: Explained | undefined;
  readonly page: Page;
  readonly formToken: string;
}

/** Repositories on disk that have no owner. */
export function UnadoptedView({ path, repositories, total, pattern, refusal, page, formToken }: UnadoptedProps): Html {
  const texts = useTexts(adminTexts);
  return (
    <>
      {refusal !== undefined && <Refusal problem={refusal} />}
      <p class="soft">{texts.unadoptedHint}</p>
      <Find path={path} text={pattern} label={texts.pattern} />
      {repositories.length === 0 && refusal === undefined && <Empty icon="archive" title={pattern === "" ? texts.noUnadopted : texts.noRepositories} />}
      <Rows>
        {repositories.map((fullName) => {
          const at = `${path}/${fullName.split("/").map(encodeURIComponent).join("/")}`;
          return (
            <Row action={<Do action={`${at}/adopt`} formToken={formToken} label={texts.adopt} of={fullName} />}>
              <Icon name="archive" /> <strong>{fullName}</strong>
              <TakeOff action={`${at}/delete`} fullName={fullName} formToken={formToken} />
            </Row>
          );
        })}
      </Rows>
      <Pager path={path} query={{ q: pattern }} page={page} total={total} />
    </>
  );
}

/** The button is shown only after a first click, because the deletion is permanent. */
function TakeOff({ action, fullName, formToken }: { readonly action: string; readonly fullName: string; readonly formToken: string }): Html {
  const texts = useTexts(adminTexts);
  return (
    <details>
      <summary class="soft" aria-label={`${texts.takeOff}: ${fullName}`}>
        {texts.takeOff}
      </summary>
      <p class="soft">{texts.takeOffHint}</p>
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <button class="danger" type="submit" aria-label={`${texts.takeOff}: ${fullName}`}>
          {texts.takeOff}
        </button>
      </form>
    </details>
  );
}
