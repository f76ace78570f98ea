import type { Urls } from "../../../core/urls.ts";
import type { GitignoreTemplateInfo, LicensesTemplateListEntry, LicenseTemplateInfo, LabelTemplate as WireLabelTemplate } from "../../../wire/templates.ts";
import type { LabelTemplate } from "./labels.ts";
import type { License } from "./licenses.ts";

const implementation =
  "Put this text into a file named LICENSE at the root of the repository, with the year and the holder of the copyright where it asks for them.";

/** @compat the name repeats the key: clients send either when they create a repository. */
export const presentLicenseEntry = ({ id }: License, urls: Urls): LicensesTemplateListEntry => ({ key: id, name: id, url: urls.api("licenses", id) });

export const presentLicense = (license: License, urls: Urls): LicenseTemplateInfo => ({
  ...presentLicenseEntry(license, urls),
  implementation,
  body: license.text,
});

export const presentGitignore = ({ name, text }: { readonly name: string; readonly text: string }): GitignoreTemplateInfo => ({ name, source: text });

export const presentLabelTemplate = ({ name, isExclusive, color, description }: LabelTemplate): WireLabelTemplate => ({
  name,
  exclusive: isExclusive,
  color,
  description,
});
