import type { Urls } from "../../../core/urls.ts";
import type { GitignoreTemplateInfo, LicensesTemplateListEntry, LicenseTemplateInfo, LabelTemplate as WireLabelTemplate } from "../../../wire/templates.ts";
import type { LabelTemplate } from "./labels.ts";
import type { License } from "./licenses.ts";

const implementation = "Create a file named LICENSE at the root of the repository with this text, and fill in the year and the copyright holder.";

/** @compat the name repeats the key, because clients send either when they create a repository (license-templates/api.test.ts) */
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
