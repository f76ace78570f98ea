import { allSettings, type Config } from "./config.ts";
import { environmentName } from "./settings.ts";

/** A setting as administrators see it. */
export interface ShownSetting {
  readonly section: string;
  readonly name: string;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly comment: string;
  /** Undefined: a secret that is set, which nobody is shown. */
  readonly value: string | undefined;
  readonly origin: "environment" | "file" | "default";
}

/** Every setting as it is, with where it comes from. Secrets are left out. */
export const shownConfig = (config: Config): readonly ShownSetting[] =>
  allSettings().map(({ section, name, setting }) => {
    const value = textOf((config[section] as Readonly<Record<string, string | number | boolean | readonly string[]>>)[name] ?? "");
    return {
      section,
      name,
      variable: environmentName(section, name, setting),
      comment: setting.comment,
      value: setting.isSecret && value !== "" ? undefined : withoutPassword(value),
      origin: config.origins.get(`${section}.${name}`) ?? "default",
    };
  });

const textOf = (value: string | number | boolean | readonly string[]): string => (typeof value === "object" ? value.join(", ") : String(value));

/** What stands before the host of an address can be a password, whatever the setting is about. */
const withoutPassword = (value: string): string => value.replace(/(:\/\/[^/@\s:]*:)[^/@\s]+@/g, "$1...@");
