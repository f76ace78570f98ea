import { type Headers, readCookies } from "../../../../core/cookies.ts";
import { sourcePath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import type { SourceFolder, SourceNode } from "../model.ts";
import { codeTexts } from "../texts/texts.ts";
import { entryIcons } from "./entry-icons.ts";
import { FindFileLink, type PlaceProps } from "./path-bar.tsx";

/** The look of the tree, which a script keeps in a cookie: a width from 0 to 9, and whether it is open. */
export interface TreeLook {
  readonly width: number | undefined;
  readonly isOpen: boolean;
}

export function treeLookOf(headers: Headers): TreeLook {
  const [, width = "", closed] = /^(\d?)(-closed)?$/.exec(readCookies(headers, "hearth_tree")[0] ?? "") ?? [];
  return { width: width === "" ? undefined : Number(width), isOpen: closed === undefined };
}

export interface WithTreeProps extends PlaceProps {
  readonly tree: SourceFolder;
  readonly look: TreeLook;
  readonly children?: Html;
}

/** A page of a file or folder, with the tree of the repository beside it. */
export function WithTree({ tree, look, children, ...place }: WithTreeProps): Html {
  const texts = useTexts(codeTexts);
  return (
    <div class="with-tree">
      <nav class={look.width === undefined ? "source-tree" : `source-tree width-${look.width}`} aria-label={texts.files}>
        <FindFileLink repository={place.repository} at={place.at} />
        <details open={look.isOpen}>
          <summary>
            <Icon name="sidebar-expand" />
            {texts.files}
          </summary>
          <Folder {...place} folder={tree} parent="" />
        </details>
      </nav>
      <div>{children}</div>
    </div>
  );
}

interface FolderProps extends PlaceProps {
  readonly folder: SourceFolder;
  /** The path of the folder. */
  readonly parent: string;
}

function Folder({ folder, parent, ...place }: FolderProps): Html {
  const texts = useTexts(codeTexts);
  const language = useLanguage();
  return (
    <ul>
      {folder.nodes.map((node) => (
        <Node {...place} node={node} />
      ))}
      {folder.hiddenCount > 0 && (
        <li>
          <a class="soft" href={sourcePath(place.repository, place.at, parent)}>
            {texts.moreEntries(countText(folder.hiddenCount, language))}
          </a>
        </li>
      )}
    </ul>
  );
}

function Node({ node, ...place }: PlaceProps & { readonly node: SourceNode }): Html {
  const { name, path, mode, folder } = node;
  const isFolder = mode === "040000";
  return (
    <li>
      <span {...(isFolder && { class: "folder" })}>
        {isFolder && <Icon name={folder === undefined ? "chevron-right" : "chevron-down"} />}
        <Icon name={entryIcons[mode]} />
        {mode === "160000" ? (
          name
        ) : (
          <a href={sourcePath(place.repository, place.at, path)} title={name} {...(path === place.path && { "aria-current": "page" })}>
            {name}
          </a>
        )}
      </span>
      {folder !== undefined && <Folder {...place} folder={folder} parent={path} />}
    </li>
  );
}
