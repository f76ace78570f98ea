import { withQuery } from "../../../../../ui/addresses.ts";
import { Avatar } from "../../../../../ui/avatar.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { LabelDot } from "../../../../../ui/labels.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import type { UserView } from "../../../../accounts/users/model.ts";
import type { LabelView } from "../../../labels/model.ts";
import type { MilestoneView } from "../../../milestones/model.ts";
import type { IssueOrder } from "../../model.ts";
import { issueTexts } from "../../texts/texts.ts";
import { splitQuery, valuesOfKey, withNone, withToggled, withValue } from "../query-language.ts";

export interface FilterChoices {
  readonly labels: readonly Pick<LabelView, "name" | "color">[];
  readonly milestones: readonly Pick<MilestoneView, "title">[];
  /** Full names; only for lists across repositories. */
  readonly repositories?: readonly string[];
  /** Users who can be assigned. */
  readonly people: readonly UserView[];
  /** Name of the reader; undefined for visitors. */
  readonly self: string | undefined;
}

interface MenuEntry {
  readonly text: string;
  readonly href: string;
  readonly isChosen: boolean;
  readonly picture?: Html;
}

export interface FilterMenuProps {
  readonly title: string;
  readonly entries: readonly MenuEntry[];
  /** A field for values that the menu does not list. */
  readonly field?: { readonly name: string; readonly label: string; readonly path: string; readonly typed: string };
  readonly more?: { readonly href: string; readonly text: string };
  readonly empty?: string;
}

/** A menu of links, each of which is the list with one more filter. A script narrows the links to what is typed. */
export function FilterMenu({ title, entries, field, more, empty }: FilterMenuProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <details class="menu filter" {...(field !== undefined && { "data-key": field.name })}>
      <summary>
        {title}
        <Icon name="triangle-down" />
      </summary>
      <div class="sheet">
        {field !== undefined && (
          <form class="find" action={field.path}>
            <input type="hidden" name="q" value={field.typed} />
            <input name={field.name} required aria-label={field.label} placeholder={field.label} autocomplete="off" data-narrow="" />
            <button type="submit">{texts.filters.apply}</button>
          </form>
        )}
        {entries.length === 0 && empty !== undefined && <p class="soft">{empty}</p>}
        {entries.map(({ text, href, isChosen, picture }) => (
          <a href={href} data-value={text} {...(isChosen && { "aria-current": "true" })}>
            <span class="mark">{isChosen && <Icon name="check" />}</span>
            {picture}
            <span dir="auto">{text}</span>
          </a>
        ))}
        {more !== undefined && (
          <a class="soft" href={more.href}>
            {more.text}
          </a>
        )}
      </div>
    </details>
  );
}

export interface FilterMenusProps {
  /** Path of the list. */
  readonly path: string;
  /** Undefined for lists across repositories. */
  readonly repositoryPath?: string;
  readonly typed: string;
  readonly choices: FilterChoices;
}

const chosenKeys = ["author", "assignee", "label", "milestone", "repo", "no"] as const;

/** The menus of a list: author, label, milestone and assignee; across repositories also the repository. Each link is a query that can also be typed. */
export function FilterMenus({ path, repositoryPath: home, typed, choices }: FilterMenusProps): Html {
  const { filters: texts } = useTexts(issueTexts);
  const at = (query: string): string => withQuery(path, { q: query });
  const split = splitQuery(typed);
  const chosenOf = new Map(chosenKeys.map((key) => [key, valuesOfKey(split, key)]));
  const chosen = (key: (typeof chosenKeys)[number]): readonly string[] => chosenOf.get(key) ?? [];
  const people = (key: "author" | "assignee"): readonly MenuEntry[] => {
    const others = choices.people.filter(({ name }) => name !== choices.self);
    const self = choices.people.find(({ name }) => name === choices.self);
    const entry = (name: string, text: string, user: UserView | undefined): MenuEntry => {
      const isChosen = chosen(key).includes(name) || (name === "@me" && chosen(key).includes(choices.self ?? "@me"));
      return {
        text,
        href: at(withValue(split, key, isChosen ? undefined : name)),
        isChosen,
        picture: user === undefined ? <Icon name="person" /> : <Avatar account={user} size={20} />,
      };
    };
    return [...(choices.self === undefined ? [] : [entry("@me", texts.me(choices.self), self)]), ...others.map((user) => entry(user.name, user.name, user))];
  };
  const none = (key: string, text: string): MenuEntry => {
    const isChosen = chosen("no").includes(key);
    return { text, href: at(isChosen ? withValue(split, key, undefined) : withNone(split, key)), isChosen };
  };
  const one = (key: "milestone" | "repo", value: string, icon: "milestone" | "repo"): MenuEntry => {
    const isChosen = chosen(key).some((name) => name.toLowerCase() === value.toLowerCase());
    return { text: value, href: at(withValue(split, key, isChosen ? undefined : value)), isChosen, picture: <Icon name={icon} /> };
  };
  const field = (name: string, label: string) => ({ name, label, path, typed });
  return (
    <>
      {choices.repositories !== undefined && (
        <FilterMenu
          title={texts.repository}
          field={field("repo", texts.findRepository)}
          entries={choices.repositories.map((name) => one("repo", name, "repo"))}
        />
      )}
      <FilterMenu title={texts.author} entries={people("author")} field={field("author", texts.findUser)} />
      <FilterMenu
        title={texts.label}
        field={field("label", texts.findLabel)}
        entries={[
          none("label", texts.noLabel),
          ...choices.labels.map(({ name, color }) => ({
            text: name,
            href: at(withToggled(split, "label", name)),
            isChosen: chosen("label").includes(name),
            picture: <LabelDot color={color} />,
          })),
        ]}
        {...(home !== undefined && { more: { href: `${home}/labels`, text: texts.allLabels } })}
      />
      <FilterMenu
        title={texts.milestone}
        field={field("milestone", texts.findMilestone)}
        entries={[none("milestone", texts.noMilestone), ...choices.milestones.map(({ title }) => one("milestone", title, "milestone"))]}
        {...(home !== undefined && { more: { href: `${home}/milestones`, text: texts.allMilestones } })}
      />
      <FilterMenu title={texts.assignee} field={field("assignee", texts.findUser)} entries={[none("assignee", texts.noAssignee), ...people("assignee")]} />
    </>
  );
}

const orders: readonly IssueOrder[] = ["newest", "oldest", "most-commented", "least-commented", "updated", "least-updated"];

export interface OrdersProps {
  readonly order: IssueOrder;
  /** Address of the list in another order. */
  readonly pathOf: (order: IssueOrder) => string;
}

/** Menu of the list's orders. */
export function Orders({ order: now, pathOf }: OrdersProps): Html {
  const texts = useTexts(issueTexts);
  const entries = orders.map((order) => ({ text: texts.orders[order], href: pathOf(order), isChosen: order === now }));
  return <FilterMenu title={texts.order} entries={entries} />;
}
