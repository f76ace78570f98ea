import { allSettings, type Config } from "./config.ts";
import { environmentName } from "./settings.ts";

/** A setting as shown to administrators. */
export interface ShownSetting {
  readonly section: string;
  readonly name: string;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly comment: string;
  /** Undefined: a secret that is set but never shown. */
  readonly value: string | undefined;
  readonly origin: "environment" | "file" | "default";
}

/** Every setting with its value and source. Secrets are left out. */
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

/** User info in a URL can be a password, whatever the setting is. */
const withoutPassword = (value: string): string => value.replace(/(:\/\/[^/@\s:]*:)[^/@\s]+@/g, "$1...@");
