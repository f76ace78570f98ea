import { comparePath, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { EndChoices, RefNames } from "../service/end-choices.ts";
import { compareTexts } from "../texts/texts.ts";
import { type ComparedNames, comparedPath } from "./compare.tsx";

export interface ChooserProps extends ComparedNames {
  readonly choices: EndChoices;
  /** Address of the reverse comparison; undefined if one of the ends does not exist. */
  readonly swapAddress: string | undefined;
}

/** Menus to choose the ends of a comparison. Each entry is the address of a comparison. */
export function Chooser(props: ChooserProps): Html {
  const texts = useTexts(compareTexts);
  const { repository, base, head, isDirect, choices, swapAddress } = props;
  const own = `${repository.ownerName}/${repository.name}`;
  const to = (end: { readonly base?: string; readonly head?: string }): string => endAddress({ repository, base, head, isDirect, ...end });
  const inOther = (name: string, itsBase: string): string =>
    name === own
      ? to({})
      : withQuery(comparePath(repository), { in: name, base: itsBase, head: head === "" ? undefined : head, dots: isDirect ? "2" : undefined });
  return (
    <div class="bar compare-ends">
      {choices.bases.length > 1 && (
        <EndMenu title={texts.baseRepository} chosen={own} icon="repo">
          {choices.bases.map(({ name, branch }) => (
            <Entry text={name} href={inOther(name, branch)} isChosen={name === own} />
          ))}
        </EndMenu>
      )}
      <EndMenu title={texts.base} chosen={base} icon="git-branch" field={<EndField {...props} name="base" />}>
        <Refs refs={choices.base} chosen={base} hrefOf={(ref) => to({ base: ref })} />
      </EndMenu>
      <span class="soft" aria-hidden="true">
        ←
      </span>
      {choices.heads.length > 1 && (
        <EndMenu title={texts.headRepository} chosen={choices.headRepository} icon="repo-forked">
          {choices.heads.map(({ name, head: itsHead }) => (
            <Entry text={name} href={to({ head: itsHead })} isChosen={name === choices.headRepository} />
          ))}
        </EndMenu>
      )}
      <EndMenu title={texts.head} chosen={head === "" ? texts.chooseHead : head} icon="git-branch" field={<EndField {...props} name="head" />}>
        <Refs refs={choices.head} chosen={head} hrefOf={(ref) => to({ head: ref })} />
      </EndMenu>
      {swapAddress !== undefined && (
        <a class="button" href={swapAddress}>
          <Icon name="git-compare" />
          {texts.swap}
        </a>
      )}
      {swapAddress !== undefined && <Ways repository={repository} base={base} head={head} isDirect={isDirect} />}
    </div>
  );
}

/** The address that compares two ends, or that asks for the head. */
const endAddress = (names: ComparedNames): string => (names.head === "" ? withQuery(comparePath(names.repository), { base: names.base }) : comparedPath(names));

interface EndMenuProps {
  readonly title: string;
  readonly chosen: string;
  readonly icon: IconName;
  /** The form that finds items that the menu does not list. */
  readonly field?: Html;
  readonly children?: Html;
}

const EndMenu = ({ title, chosen, icon, field, children }: EndMenuProps): Html => (
  <details class="menu filter">
    <summary class="button">
      <Icon name={icon} />
      <span class="soft">{title}:</span> <bdi>{chosen}</bdi>
      <Icon name="triangle-down" />
    </summary>
    <div class="sheet">
      {field}
      {children}
    </div>
  </details>
);

/** Goes to the typed branch, tag or commit. A part of a name leads to a list of those that contain it. */
function EndField({ repository, base, head, isDirect, name }: ChooserProps & { readonly name: "base" | "head" }): Html {
  const texts = useTexts(compareTexts);
  const label = name === "base" ? texts.findBase : texts.findHead;
  const other = name === "base" ? { head } : { base };
  return (
    <form class="find" action={comparePath(repository)}>
      {Object.entries({ ...other, ...(isDirect && { dots: "2" }) }).map(([field, value]) => value !== "" && <input type="hidden" name={field} value={value} />)}
      <input name={name} required aria-label={label} placeholder={label} autocomplete="off" data-narrow="" />
      <button type="submit">{texts.find}</button>
    </form>
  );
}

interface RefsProps {
  readonly refs: RefNames;
  readonly chosen: string;
  readonly hrefOf: (ref: string) => string;
}

function Refs({ refs, chosen, hrefOf }: RefsProps): Html {
  const texts = useTexts(compareTexts);
  const group = (title: string, names: readonly string[]): Html =>
    names.length > 0 && (
      <>
        <strong>{title}</strong>
        {names.map((name) => (
          <Entry text={name} href={hrefOf(name)} isChosen={name === chosen} />
        ))}
      </>
    );
  return (
    <>
      {group(texts.branches, refs.branches)}
      {group(texts.tags, refs.tags)}
      {refs.hasMore && <p class="soft">{texts.moreRefs}</p>}
    </>
  );
}

const Entry = ({ text, href, isChosen }: { readonly text: string; readonly href: string; readonly isChosen: boolean }): Html => (
  <a href={href} data-value={text} {...(isChosen && { "aria-current": "true" })}>
    <span class="mark">{isChosen && <Icon name="check" />}</span>
    <span dir="auto">{text}</span>
  </a>
);

/** Switches between comparing from the merge base and comparing directly. */
function Ways(names: ComparedNames): Html {
  const texts = useTexts(compareTexts);
  const link = (isDirect: boolean, word: string): Html => (
    <a href={comparedPath({ ...names, isDirect })} {...(names.isDirect === isDirect && { "aria-current": "page" })}>
      {word}
    </a>
  );
  return (
    <nav class="switch end" aria-label={texts.ways}>
      {link(false, texts.sinceParted)}
      {link(true, texts.asTheyAre)}
    </nav>
  );
}

export interface MatchesProps extends ComparedNames {
  /** The end that does not exist. */
  readonly missing: "base" | "head";
  readonly matches: RefNames;
}

/** Branches and tags whose names contain the one that does not exist. */
export function Matches({ missing, matches, ...names }: MatchesProps): Html {
  const texts = useTexts(compareTexts);
  const found = [...matches.branches, ...matches.tags];
  if (found.length === 0) return null;
  return (
    <section class="box">
      <header>
        <Icon name="git-branch" />
        <h2>{texts.matches(names[missing])}</h2>
      </header>
      <ul class="within plain-list">
        {found.map((ref) => (
          <li>
            <a href={endAddress({ ...names, [missing]: ref })}>
              <code>{ref}</code>
            </a>
          </li>
        ))}
      </ul>
      {matches.hasMore && <p class="soft within">{texts.moreMatches}</p>}
    </section>
  );
}
