import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ListInTurns } from "../../../../ui/render-in-turns.tsx";
import { Revealed } from "../../../../ui/revealed.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { changedFilesTexts } from "../texts/texts.ts";

/** Annotations of a file in the tree. */
export interface TreeMark {
  readonly isViewed?: boolean;
  /** Number of conversations. */
  readonly talks?: number;
}

export interface TreeFile extends TreeMark {
  readonly path: string;
  readonly href: string;
}

interface Folder {
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: TreeFile }[];
}

interface ShownFolder extends Pick<Folder, "name" | "files"> {
  readonly folders: readonly ShownFolder[];
  /** Of lines in the tree, with its own. */
  readonly count: number;
}

/** The tree of changed files, with links to their changes. */
export function FileTree({ files }: { readonly files: readonly TreeFile[] }): Html {
  const texts = useTexts(changedFilesTexts);
  return (
    <nav class="tree" aria-label={texts.files} {...(files.length > 1 && { "data-filters": true })}>
      <Entries folder={folded(treeOf(files))} />
    </nav>
  );
}

function treeOf(files: readonly TreeFile[]): Folder {
  const root: Folder = { name: "", folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split("/");
    const name = names.pop() ?? "";
    let folder = root;
    for (const step of names) {
      const known = folder.folders.get(step) ?? { name: step, folders: new Map(), files: [] };
      folder.folders.set(step, known);
      folder = known;
    }
    folder.files.push({ name, file });
  }
  return root;
}

/** Combines a folder that contains only one folder with it, on one line. */
function folded({ name, folders, files }: Folder): ShownFolder {
  const inner = [...folders.values()].map(folded);
  const [only] = inner;
  if (name !== "" && files.length === 0 && only !== undefined && inner.length === 1) return { ...only, name: `${name}/${only.name}` };
  return { name, folders: inner, files, count: inner.reduce((sum, { count }) => sum + count, 1 + files.length) };
}

const Entries = ({ folder }: { readonly folder: ShownFolder }): Html => (
  <ul>
    <ListInTurns
      items={folder.folders}
      costOf={({ count }) => count}
      view={(inner) => (
        <li>
          <span class="folder">
            <Icon name="file-directory-fill" />
            <Revealed text={inner.name} />
          </span>
          <Entries folder={inner} />
        </li>
      )}
    />
    <ListInTurns items={folder.files} view={({ name, file }) => <Leaf name={name} file={file} />} />
  </ul>
);

function Leaf({ name, file }: { readonly name: string; readonly file: TreeFile }): Html {
  const texts = useTexts(changedFilesTexts);
  const { path, href, isViewed = false, talks = 0 } = file;
  return (
    <li data-path={path}>
      <a href={href} title={path}>
        <Revealed text={name} />
      </a>
      {isViewed && <Icon name="check" label={texts.viewed} />}
      {talks > 0 && <span class="badge">{talks}</span>}
    </li>
  );
}
