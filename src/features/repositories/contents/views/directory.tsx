import { messageTitle } from "../../../../core/commit-message.ts";
import type { Page } from "../../../../core/paging.ts";
import { commitPath, type RepositoryName, sourcePath } from "../../../../ui/addresses.ts";
import { Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ContentsMenu, Rendered } from "../../../../ui/rendered.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { DirectoryEntry, ShownCommit, ShownFile, Viewpoint } from "../model.ts";
import { codeTexts } from "../texts/texts.ts";
import { entryIcons } from "./entry-icons.ts";
import { LatestCommit } from "./latest-commit.tsx";

export interface DirectoryProps {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly page: Page;
  /** Total number of entries. */
  readonly total: number;
  /** The readme of the directory. */
  readonly readme: { readonly path: string; readonly shown: ShownFile } | undefined;
  readonly latest: ShownCommit;
  /** The number of commits, if it is shown. */
  readonly commitsCount: number | undefined;
  readonly now: number;
}

/** The entries of a directory, each with the commit that last changed it, and the readme. */
export const DirectoryView = (props: DirectoryProps): Html => (
  <>
    <div class="box">
      <LatestCommit {...props} />
      <FileTable {...props} />
    </div>
    <Pager path={sourcePath(props.repository, props.at, props.path)} page={props.page} total={props.total} />
    {props.readme !== undefined && <Readme repository={props.repository} at={props.at} {...props.readme} />}
  </>
);

function FileTable({ repository, at, path, entries, now }: DirectoryProps): Html {
  const texts = useTexts(codeTexts);
  const parent = path.split("/").slice(0, -1).join("/");
  return (
    <table class="files">
      <caption class="hidden">{texts.files}</caption>
      <colgroup>
        <col class="name" />
        <col class="last" />
        <col class="when" />
      </colgroup>
      <thead class="hidden">
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">{texts.lastCommit}</th>
          <th scope="col">{texts.when}</th>
        </tr>
      </thead>
      <tbody>
        {path !== "" && (
          <tr>
            <td colSpan={3}>
              <a href={sourcePath(repository, at, parent)} aria-label={texts.parent}>
                ..
              </a>
            </td>
          </tr>
        )}
        {entries.map((entry) => (
          <FileRow repository={repository} at={at} directory={path} entry={entry} now={now} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  /** The path of the listed directory. */
  readonly directory: string;
  readonly entry: DirectoryEntry;
  readonly now: number;
}

function FileRow({ repository, at, directory, entry, now }: RowProps): Html {
  const { mode, path, lastCommit } = entry;
  const shown = directory === "" ? path : path.slice(directory.length + 1);
  const name = shown.split("/").at(-1);
  const parents = shown.slice(0, shown.length - (name ?? "").length);
  return (
    <tr {...(mode === "040000" ? { class: "folder" } : null)}>
      <td>
        <Icon name={entryIcons[mode]} />
        {mode === "160000" ? (
          <span>
            {name}
            {" @ "}
            {entry.oid.slice(0, 10)}
          </span>
        ) : (
          <a href={sourcePath(repository, at, path)} title={shown}>
            {parents !== "" && <span class="soft">{parents}</span>}
            {name}
          </a>
        )}
      </td>
      <td>
        {lastCommit !== undefined && (
          <a href={commitPath(repository, lastCommit.oid)} title={messageTitle(lastCommit.message)}>
            {messageTitle(lastCommit.message)}
          </a>
        )}
      </td>
      <td>{lastCommit !== undefined && <Ago ms={lastCommit.committer.seconds * 1_000} now={now} />}</td>
    </tr>
  );
}

type ReadmeProps = Pick<DirectoryProps, "repository" | "at"> & NonNullable<DirectoryProps["readme"]>;

function Readme({ repository, at, path, shown }: ReadmeProps): Html {
  const texts = useTexts(codeTexts);
  if (shown.kind !== "rendered" && shown.kind !== "code" && shown.kind !== "too large") return null;
  return (
    <section class="box">
      <header>
        <Icon name="book" />
        <h2>
          <a href={sourcePath(repository, at, path)}>{path.split("/").at(-1)}</a>
        </h2>
        {shown.kind === "rendered" && (
          <span class="end">
            <ContentsMenu html={shown.html} />
          </span>
        )}
      </header>
      <div class="within">
        {shown.kind === "rendered" && <Rendered html={shown.html} />}
        {shown.kind === "code" && (
          <pre class="message" dir="auto">
            {shown.text}
          </pre>
        )}
        {shown.kind === "too large" && <p>{texts.tooLarge}</p>}
      </div>
    </section>
  );
}
