import type { Mistake } from "../../../../core/workflow-mistakes.ts";
import { accountPath, blamePath, editPath, mediaPath, type RepositoryName, rawPath, sourcePath } from "../../../../ui/addresses.ts";
import { CodeLines, lineCount } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ContentsMenu, Rendered } from "../../../../ui/rendered.tsx";
import { hasManyUnseen } from "../../../../ui/revealed.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { MistakeText } from "../../../../ui/workflow-mistakes.tsx";
import type { EntryView, ShownCommit, ShownFile, Viewpoint } from "../model.ts";
import { codeTexts, editTexts, searchTexts } from "../texts/texts.ts";
import { LatestCommit } from "./latest-commit.tsx";
import { NotebookView } from "./notebook.tsx";

/** Users and teams of a CODEOWNERS file. Their names are not checked. */
export interface FileOwners {
  readonly users: readonly string[];
  readonly teams: readonly { readonly organization: string; readonly team: string }[];
}

/** A mistake in a file that the server reads. */
export interface FileProps {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly file: EntryView;
  readonly shown: ShownFile;
  /** The language of its content; undefined if it is not known. */
  readonly language: string | undefined;
  readonly owners: FileOwners;
  readonly mistakes: readonly Mistake[];
  readonly canEdit: boolean;
  readonly latest: ShownCommit;
  readonly now: number;
}

type Props = Omit<FileProps, "latest" | "now" | "owners" | "mistakes">;

/** A file, rendered or as source, with its last commit and its details above. */
export function FileView({ latest, now, owners, mistakes, ...props }: FileProps): Html {
  const { repository, at, file, shown } = props;
  return (
    <>
      <div class="box">
        <LatestCommit repository={repository} at={at} path={file.path} latest={latest} now={now} />
      </div>
      <Mistakes mistakes={mistakes} />
      <section class="box file">
        <header>
          <h2 class="hidden">{nameOf(file)}</h2>
          <Forms {...props} />
          <Details {...props} />
          <span class="end">
            {shown.kind === "rendered" && <ContentsMenu html={shown.html} />}
            <Actions {...props} />
          </span>
        </header>
        <Owners {...owners} />
        <Shown repository={repository} at={at} file={file} shown={shown} />
      </section>
    </>
  );
}

/** Lines are links to the source below. */
function Mistakes({ mistakes }: Pick<FileProps, "mistakes">): Html {
  const texts = useTexts(codeTexts);
  if (mistakes.length === 0) return null;
  return (
    <section class="notice bad">
      <h2>{texts.invalidWorkflow}</h2>
      <ul>
        {mistakes.map((mistake) => (
          <li>
            {mistake.line !== undefined && (
              <>
                <a href={`#L${mistake.line}`}>{texts.lineAndColumn(mistake.line, mistake.column ?? 1)}</a>
                {": "}
              </>
            )}
            <MistakeText {...mistake} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Owners({ users, teams }: FileOwners): Html {
  const texts = useTexts(codeTexts);
  const owners = [
    ...users.map((name) => [name, accountPath(name)] as const),
    ...teams.map(({ organization, team }) => [`${organization}/${team}`, accountPath(organization)] as const),
  ];
  if (owners.length === 0) return null;
  return (
    <p class="owners soft">
      <Icon name="shield-check" /> {texts.ownedBy}{" "}
      {owners.map(([name, href], index) => (
        <>
          {index > 0 && ", "}
          <a href={href}>
            <bdi>{name}</bdi>
          </a>
        </>
      ))}
    </p>
  );
}

const nameOf = ({ path }: EntryView): string => path.split("/").at(-1) ?? path;

const isTextOf = (shown: ShownFile): boolean =>
  shown.kind === "code" || shown.kind === "rendered" || shown.kind === "notebook" || (shown.kind === "image" && shown.isText);

/** Lines, size and language. */
function Details({ file, shown, language: fileLanguage }: Props): Html {
  const texts = useTexts(codeTexts);
  const language = useLanguage();
  const details = [
    shown.kind === "code" ? texts.lines(lineCount(shown.text), countText(lineCount(shown.text), language)) : undefined,
    sizeText("sizeBytes" in shown ? shown.sizeBytes : file.sizeBytes, language),
    file.mode === "100755" ? texts.executable : undefined,
    fileLanguage,
  ];
  return (
    <>
      <span class="soft details">{details.filter((detail) => detail !== undefined).join(" · ")}</span>
      {"isHere" in shown && <span class="badge">Git LFS</span>}
    </>
  );
}

/** The rendered file, its source, and its blame. */
function Forms({ repository, at, file, shown }: Props): Html {
  const texts = useTexts(codeTexts);
  const search = useTexts(searchTexts);
  if (!isTextOf(shown)) return null;
  const address = sourcePath(repository, at, file.path);
  const hasTwo = shown.kind !== "code" || shown.canRender;
  const isSource = shown.kind === "code";
  const forms = [
    ...(hasTwo ? [[address, texts.rendered, !isSource] as const] : []),
    [hasTwo ? `${address}?display=source` : address, texts.code, isSource],
    [blamePath(repository, at, file.path), search.blame, false],
  ] as const;
  return <FileForms forms={forms} />;
}

export const FileForms = ({ forms }: { readonly forms: readonly (readonly [href: string, text: string, isCurrent: boolean])[] }): Html => (
  <nav class="switch" aria-label={useTexts(codeTexts).forms}>
    {forms.map(([href, text, isCurrent]) => (
      <a href={href} {...(isCurrent && { "aria-current": "page" })}>
        {text}
      </a>
    ))}
  </nav>
);

/** Raw, copy, download, edit, and a menu of the others. */
function Actions({ repository, at, file, shown, canEdit }: Props): Html {
  const texts = useTexts(codeTexts);
  const search = useTexts(searchTexts);
  const editing = useTexts(editTexts);
  const { scripts } = useTexts(sharedTexts);
  const isText = isTextOf(shown);
  const edits = canEdit && at.kind === "branch";
  const raw = rawPath(repository, at, file.path);
  const isLarge = "isHere" in shown;
  const permalink = sourcePath(repository, { kind: "commit", rev: at.commit.oid }, file.path);
  return (
    <>
      <span class="button-group">
        <a class="button small" href={raw}>
          {isLarge ? texts.pointer : texts.raw}
        </a>
        {isText && (
          <button class="small" type="button" data-copy-from={rawPath(repository, { kind: "commit", rev: at.commit.oid }, file.path)}>
            {scripts.copy}
          </button>
        )}
        {!(isLarge && !shown.isHere) && (
          <a class="button small" href={isLarge ? mediaPath(repository, at, file.path) : raw} download={nameOf(file)} title={texts.download}>
            <Icon name="download" label={texts.download} />
          </a>
        )}
      </span>
      {edits && file.mode.startsWith("100") && (
        <a class="button small" href={editPath(repository, "edit", at.rev, file.path)} data-key="e" title={isText ? editing.edit : editing.move}>
          <Icon name="pencil" label={isText ? editing.edit : editing.move} />
        </a>
      )}
      <details class="menu">
        <summary class="button small" title={texts.moreActions}>
          <Icon name="kebab-horizontal" label={texts.moreActions} />
        </summary>
        <div class="sheet">
          <a href={permalink} data-key="y">
            <Icon name="link" />
            {search.permalink}
          </a>
          {edits && (
            <a href={editPath(repository, "delete", at.rev, file.path)}>
              <Icon name="trash" />
              {editing.delete}
            </a>
          )}
        </div>
      </details>
    </>
  );
}

function Shown({ repository, at, file, shown }: Pick<FileProps, "repository" | "at" | "file" | "shown">): Html {
  const texts = useTexts(codeTexts);
  const commit = { kind: "commit", rev: at.commit.oid } as const;
  switch (shown.kind) {
    case "rendered":
      return (
        <div class="within">
          <Rendered html={shown.html} />
        </div>
      );
    case "code":
      if (hasManyUnseen(shown.text)) return <p>{texts.tooLarge}</p>;
      return shown.text === "" ? <p class="soft">{texts.empty}</p> : <CodeLines text={shown.text} html={shown.html} />;
    case "image":
      // By commit id, because the browser's cached image of the branch may be older.
      return (
        <div class="picture">
          <img src={rawPath(repository, commit, file.path)} alt={nameOf(file) ?? ""} />
        </div>
      );
    case "large image":
      return (
        <div class="picture">
          <img src={mediaPath(repository, commit, file.path)} alt={nameOf(file) ?? ""} />
        </div>
      );
    case "notebook":
      return <NotebookView repository={repository} oid={at.commit.oid} path={file.path} cells={shown.cells} isCut={shown.isCut} />;
    case "link":
      return (
        <p>
          {texts.link} <code>{shown.target}</code>
        </p>
      );
    case "large":
      return <p>{shown.isHere ? texts.lfs : texts.lfsMissing}</p>;
    case "binary":
      return <p>{texts.binary}</p>;
    case "too large":
      return <p>{texts.tooLarge}</p>;
  }
}
