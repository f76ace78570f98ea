import type { Html } from "./html.ts";
import { Revealed } from "./revealed.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export type DiffStyle = "unified" | "split";

export interface StylesProps {
  /** Whether the page shows both sides next to each other, and its address with the other style. */
  readonly isSplit: boolean;
  readonly styleAddress: (style: DiffStyle) => string;
  /** Distinguishes several of one page for screen readers. */
  readonly label?: string;
}

/** Whether to show changes side by side: according to the address of the page, or else the account's setting. */
export const showsSplit = (style: string | undefined, account: { readonly diffStyle: string } | undefined): boolean =>
  (style || account?.diffStyle) === "split";

/** The switch between one column and two. */
export function Styles({ isSplit, styleAddress, label }: StylesProps): Html {
  const texts = useTexts(sharedTexts).diff;
  const link = (style: DiffStyle, word: string): Html => (
    <a href={styleAddress(style)} {...(isSplit === (style === "split") && { "aria-current": "page" })}>
      {word}
    </a>
  );
  return (
    <nav class="switch" aria-label={label ?? texts.showing}>
      {link("unified", texts.unified)}
      {link("split", texts.split)}
    </nav>
  );
}

/** Number of squares of a bar. */
const squares = 5;

/** The squares of a change in a bar: one for each line of a small change, otherwise its shares. */
export function sharesOf({ additions, deletions }: { readonly additions: number; readonly deletions: number }): {
  readonly added: number;
  readonly removed: number;
} {
  const total = additions + deletions;
  if (total <= squares) return { added: additions, removed: deletions };
  const least = Math.min(additions, 1);
  const most = squares - Math.min(deletions, 1);
  const added = Math.min(most, Math.max(least, Math.round((additions / total) * squares)));
  return { added, removed: squares - added };
}

/** The numbers of added and removed lines with a bar of their shares, which adds nothing for screen readers. */
export function CountsWithBar(size: { readonly additions: number; readonly deletions: number }): Html {
  const { added, removed } = sharesOf(size);
  return (
    <>
      <Counts {...size} /> <span class={`diffstat p${added} m${removed}`} />
    </>
  );
}

/** The numbers of added and removed lines. */
export const Counts = ({ additions, deletions }: { readonly additions: number; readonly deletions: number }): Html => (
  <>
    <span class="plus">{`+${additions}`}</span> <span class="minus">{`−${deletions}`}</span>
  </>
);

export interface FileModes {
  /** Git file modes before and after the change; undefined if unknown. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
}

/** The type of a file that is not a regular file, and changes of the mode. */
export function Modes({ file: { oldMode, newMode } }: { readonly file: FileModes }): Html {
  const texts = useTexts(sharedTexts).diff;
  const kinds: Readonly<Record<string, string>> = { "120000": texts.symbolicLink, "160000": texts.submodule, "100755": texts.executable };
  const nameOf = (mode: string): string => kinds[mode] ?? texts.plainFile;
  const changes = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  const mode = newMode ?? oldMode;
  if (changes) return <span class="badge">{`${nameOf(oldMode)} → ${nameOf(newMode)}`}</span>;
  return mode !== undefined && kinds[mode] !== undefined && <span class="badge">{kinds[mode]}</span>;
}

/** Lines of a hunk in git's format. */
export const HunkLines = ({ hunk }: { readonly hunk: string }): Html => (
  <pre class="hunk-lines" tabIndex={0}>
    <code>
      {hunk.split("\n").map((line) => (
        <span class={hunkClasses[line[0] ?? ""]}>
          <Revealed text={line} />
          {"\n"}
        </span>
      ))}
    </code>
  </pre>
);

const hunkClasses: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "soft" };
