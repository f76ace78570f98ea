import { isWebUrl } from "../../../../core/urls.ts";
import { type ReadYaml, requireMapping, TemplateProblem, textOf } from "./yaml.ts";

/** Issue configuration of a repository. */
export interface IssueConfigView {
  readonly allowsBlank: boolean;
  readonly contactLinks: readonly ContactLink[];
}

export interface ContactLink {
  readonly name: string;
  readonly url: string;
  readonly about: string;
}

export const defaultConfig: IssueConfigView = { allowsBlank: true, contactLinks: [] };
const maxLinks = 100;

/** @throws TemplateProblem */
export async function parseConfig(text: string, readYaml: ReadYaml): Promise<IssueConfigView> {
  const value = await readYaml(text);
  if (value === null || value === undefined) return defaultConfig;
  const { blank_issues_enabled: allowsBlank = true, contact_links: links = [] } = requireMapping(value, "the configuration");
  if (typeof allowsBlank !== "boolean") throw new TemplateProblem("blank_issues_enabled must be true or false");
  if (!Array.isArray(links)) throw new TemplateProblem("contact_links must be a list");
  if (links.length > maxLinks) throw new TemplateProblem(`contact_links can have at most ${maxLinks} entries`);
  return { allowsBlank, contactLinks: links.map((link: unknown, at) => linkOf(link, at + 1)) };
}

function linkOf(value: unknown, position: number): ContactLink {
  const at = `contact_link at position ${position}`;
  const given = requireMapping(value, at);
  const link = { name: textOf(given.name, `${at}: name`), url: textOf(given.url, `${at}: url`), about: textOf(given.about, `${at}: about`) };
  for (const [name, text] of Object.entries(link)) if (text === "") throw new TemplateProblem(`${at} is missing ${name} key`);
  if (!isWebUrl(link.url)) throw new TemplateProblem(`${at}: the url must be a web address`);
  return link;
}
