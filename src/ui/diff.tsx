import type { Html } from "./html.ts";
import { Revealed } from "./revealed.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export type DiffStyle = "unified" | "split";

export interface StylesProps {
  /** Both sides in one column, or beside each other; and where the page shows it the one way or the other. */
  readonly isSplit: boolean;
  readonly styleAddress: (style: DiffStyle) => string;
}

/** How somebody looks at changes: as the page's address says it, else as his account has it. */
export const showsSplit = (style: string | undefined, account: { readonly diffStyle: string } | undefined): boolean =>
  (style || account?.diffStyle) === "split";

/** The way from one column to two, and back. */
export function Styles({ isSplit, styleAddress }: StylesProps): Html {
  const texts = useTexts(sharedTexts).diff;
  const link = (style: DiffStyle, word: string): Html => (
    <a href={styleAddress(style)} {...(isSplit === (style === "split") && { "aria-current": "page" })}>
      {word}
    </a>
  );
  return (
    <nav class="switch" aria-label={texts.showing}>
      {link("unified", texts.unified)}
      {link("split", texts.split)}
    </nav>
  );
}

/** How many lines came and went. */
export const Counts = ({ additions, deletions }: { readonly additions: number; readonly deletions: number }): Html => (
  <>
    <span class="plus">{`+${additions}`}</span> <span class="minus">{`−${deletions}`}</span>
  </>
);

export interface FileModes {
  /** Of git, before and after the change, as far as git tells them. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
}

/** What a file is where it is no plain one, and what it has become where that changes. */
export function Modes({ file: { oldMode, newMode } }: { readonly file: FileModes }): Html {
  const texts = useTexts(sharedTexts).diff;
  const kinds: Readonly<Record<string, string>> = { "120000": texts.symbolicLink, "160000": texts.submodule, "100755": texts.executable };
  const nameOf = (mode: string): string => kinds[mode] ?? texts.plainFile;
  const changes = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  const mode = newMode ?? oldMode;
  if (changes) return <span class="badge">{`${nameOf(oldMode)} → ${nameOf(newMode)}`}</span>;
  return mode !== undefined && kinds[mode] !== undefined && <span class="badge">{kinds[mode]}</span>;
}

/** Lines of a difference as git writes them, below each other. */
export const HunkLines = ({ hunk }: { readonly hunk: string }): Html => (
  <pre class="hunk-lines">
    <code>
      <Revealed text={hunk} />
    </code>
  </pre>
);
