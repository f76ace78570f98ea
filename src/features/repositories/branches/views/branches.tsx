import { messageTitle } from "../../../../core/commit-message.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { archivePath, branchesPath, commitPath, comparePath, pullPath, type RepositoryName, sourcePath, withQuery } from "../../../../ui/addresses.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { Empty, NoCommits, Pager } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Field, Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { BranchView, DeletedBranchView } from "../model.ts";
import { branchTexts } from "../texts/texts.ts";
import { DeletedBranches, type DeletedForms } from "./deleted.tsx";

/** Lists of the page. The overview has the first branches of each group. */
export const branchLists = ["overview", "yours", "active", "stale", "all"] as const;
export type BranchList = (typeof branchLists)[number];

export interface BranchSection {
  readonly name: Exclude<BranchList, "overview"> | "default";
  readonly branches: readonly BranchView[];
  readonly total: number;
}

export interface BranchesProps {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly list: BranchList;
  readonly sections: readonly BranchSection[];
  /** Whether the reader can have own branches. */
  readonly hasOwn: boolean;
  /** Divergence from the default branch by tip id; undefined if unknown. */
  readonly divergences: ReadonlyMap<string, { readonly ahead: number; readonly behind: number } | undefined>;
  /** The pull request of a branch, by its name. */
  readonly pulls: ReadonlyMap<string, BranchPull>;
  /** The searched part of the names; empty for all branches. */
  readonly part: string;
  readonly page: Page;
  readonly now: number;
  /** Undefined for readers who cannot change branches. */
  readonly forms: BranchForms | undefined;
}

/** A pull request with its base repository. */
export interface BranchPull extends RepositoryName {
  readonly number: number;
  readonly state: "open" | "merged" | "closed";
}

export interface BranchForms extends DeletedForms {
  /** The submitted values of the form for a new branch, and the error. */
  readonly created: { readonly name: string; readonly from: string; readonly problem: FormProblem | undefined };
  /** The error of the last action. */
  readonly refused: Explained | undefined;
  /** The submitted values of a failed renaming, and the error. */
  readonly renamed: { readonly name: string; readonly newName: string; readonly problem: FormProblem } | undefined;
  readonly justDeleted: DeletedBranchView | undefined;
}

/** The branches by group or in one list, most recent commits first, with actions. */
export function BranchesView(props: BranchesProps): Html {
  const { repository, list, sections, part, page, now, forms } = props;
  const texts = useTexts(branchTexts);
  if (list === "overview" && sections.length === 0) return <NoCommits repository={repository} icon="git-branch" title={texts.none} />;
  const [only] = sections;
  const path = branchesPath(repository);
  return (
    <>
      {forms !== undefined && <Top repository={repository} forms={forms} />}
      <form class="find" action={path} role="search">
        <OptionalField name="q" label={texts.search} value={part} />
        <button type="submit">{texts.searchButton}</button>
      </form>
      <Lists {...props} />
      {list === "overview" ? (
        sections.map((section) => (
          <section>
            <h2>{texts.groups[section.name]}</h2>
            <Branches {...props} section={section} />
            {section.total > section.branches.length && section.name !== "default" && (
              <p>
                <a href={withQuery(path, { view: section.name })}>{texts.allOfGroup(section.name, section.total)}</a>
              </p>
            )}
          </section>
        ))
      ) : only === undefined || only.total === 0 ? (
        <Empty icon="git-branch" title={part === "" ? texts.noneOfGroup : texts.noneFound}>
          <p>
            <a href={path}>{texts.showAll}</a>
          </p>
        </Empty>
      ) : (
        <>
          <Branches {...props} section={only} />
          <Pager path={path} query={part === "" ? { view: list } : { q: part }} page={page} total={only.total} />
        </>
      )}
      {forms !== undefined && forms.deleted.length > 0 && <DeletedBranches repository={repository} forms={forms} now={now} />}
    </>
  );
}

function Lists({ repository, list, hasOwn, part }: BranchesProps): Html {
  const texts = useTexts(branchTexts);
  const shown = branchLists.filter((name) => name !== "yours" || hasOwn);
  return (
    <nav class="switch lists" aria-label={texts.lists}>
      {shown.map((name) => (
        <a
          href={withQuery(branchesPath(repository), { view: name === "overview" ? undefined : name })}
          {...(name === list && part === "" && { "aria-current": "page" })}
        >
          {texts.listNames[name]}
        </a>
      ))}
    </nav>
  );
}

function Branches({ repository, section, pulls, divergences, now, forms }: BranchesProps & { readonly section: BranchSection }): Html {
  return (
    <ul class="commits box">
      {section.branches.map((branch) => (
        <BranchRow
          repository={repository}
          section={section.name}
          branch={branch}
          divergence={divergences.get(branch.tip.commit.oid)}
          pull={pulls.get(branch.name)}
          now={now}
          forms={forms}
        />
      ))}
    </ul>
  );
}

/** The result of the last action, and the form for a new branch. */
function Top({ repository, forms }: { readonly repository: BranchesProps["repository"]; readonly forms: BranchForms }): Html {
  const texts = useTexts(branchTexts);
  const { formToken, created, refused, justDeleted } = forms;
  return (
    <>
      {refused !== undefined && <Refusal problem={refused} />}
      {justDeleted !== undefined && (
        <div class="notice good bar" role="status">
          {texts.deleted(justDeleted.name)}
          <Do
            action={branchesPath(repository, "/restore")}
            formToken={formToken}
            label={texts.restore}
            of={justDeleted.name}
            hidden={{ id: String(justDeleted.id) }}
          />
        </div>
      )}
      <details class="more" open={created.problem !== undefined}>
        <summary>{texts.create}</summary>
        <Form action={branchesPath(repository, "/create")} formToken={formToken} name="create" problem={created.problem}>
          <div class="beside">
            <Field name="name" label={texts.name} value={created.name} names="ref" autocomplete="off" />
            <OptionalField name="from" label={texts.from} value={created.from} hint={texts.fromHint(repository.defaultBranch)} />
          </div>
          <Submit label={texts.submit} />
        </Form>
      </details>
    </>
  );
}

const pullIcons = { open: "git-pull-request", merged: "git-merge", closed: "git-pull-request-closed" } as const;

interface RowProps extends Pick<BranchesProps, "repository" | "now" | "forms"> {
  readonly branch: BranchView;
  readonly section: BranchSection["name"];
  readonly pull: BranchPull | undefined;
  readonly divergence: { readonly ahead: number; readonly behind: number } | undefined;
}

function BranchRow({ repository, section, branch: { name, tip, rule }, pull, divergence, now, forms }: RowProps): Html {
  const texts = useTexts(branchTexts);
  const { commit } = tip;
  const isDefault = name === repository.defaultBranch;
  return (
    <li>
      <div class="what">
        <Icon name="git-branch" /> <a href={sourcePath(repository, { kind: "branch", rev: name })}>{name}</a>
        {isDefault && (
          <>
            {" "}
            <span class="badge">{texts.isDefault}</span>
          </>
        )}
        {rule !== undefined && (
          <>
            {" "}
            <span class="badge">{texts.isProtected}</span>
          </>
        )}
        <div class="who">
          <Author account={undefined} signature={commit.author} size={16} />
          {", "}
          <bdi>{messageTitle(commit.message)}</bdi>
          {", "}
          <Ago ms={commit.committer.seconds * 1_000} now={now} />
        </div>
      </div>
      {!isDefault && divergence !== undefined && <span class="soft">{texts.divergence(divergence.behind, divergence.ahead)}</span>}
      {pull !== undefined && <PullLink repository={repository} pull={pull} />}
      <a class="oid" href={commitPath(repository, commit.oid)}>
        {commit.oid.slice(0, 10)}
      </a>
      <Menu repository={repository} section={section} name={name} isDefault={isDefault} forms={forms} />
    </li>
  );
}

function PullLink({ repository, pull }: { readonly repository: RepositoryName; readonly pull: BranchPull }): Html {
  const texts = useTexts(branchTexts);
  const { ownerName, name, number, state } = pull;
  const isOwn = ownerName === repository.ownerName && name === repository.name;
  const shown = isOwn ? `#${number}` : `${ownerName}/${name}#${number}`;
  return (
    <a class={`state-link ${state}`} href={pullPath(pull, number)} aria-label={`${shown}: ${texts.pullStates[state]}`}>
      <Icon name={pullIcons[state]} />
      {shown}
    </a>
  );
}

interface MenuProps extends Pick<BranchesProps, "repository" | "forms"> {
  /** A branch can be in several sections. */
  readonly section: BranchSection["name"];
  readonly name: string;
  readonly isDefault: boolean;
}

/** The actions menu of a branch. */
function Menu({ repository, section, name, isDefault, forms }: MenuProps): Html {
  const texts = useTexts(branchTexts);
  const renamed = forms?.renamed?.name === name ? forms.renamed : undefined;
  const isOpen = renamed !== undefined && { open: true };
  return (
    <details class="menu" {...isOpen}>
      <summary aria-label={texts.menuOf(name)}>
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        {!isDefault && <a href={comparePath(repository, `${repository.defaultBranch}...${name}`)}>{texts.compare}</a>}
        <a href={archivePath(repository, name, "zip")}>{texts.download("zip")}</a>
        <a href={archivePath(repository, name, "tar.gz")}>{texts.download("tar.gz")}</a>
        {forms !== undefined && (
          <details {...isOpen}>
            <summary>{texts.rename}</summary>
            <Form
              action={branchesPath(repository, "/rename")}
              formToken={forms.formToken}
              name={`rename-${section}-${name}`}
              hidden={{ name }}
              problem={renamed?.problem}
            >
              <Field name="new_name" label={texts.newName} value={renamed?.newName ?? name} names="ref" autocomplete="off" />
              <Submit label={texts.rename} />
            </Form>
          </details>
        )}
        {forms !== undefined && !isDefault && (
          <Do action={branchesPath(repository, "/delete")} formToken={forms.formToken} label={texts.delete} of={name} hidden={{ name }} isDanger isReversible />
        )}
      </div>
    </details>
  );
}
