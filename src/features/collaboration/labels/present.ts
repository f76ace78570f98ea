import type { Urls } from "../../../core/urls.ts";
import type { Label } from "../../../wire/label.ts";
import type { LabelView } from "./model.ts";

/** Presents a label of an organization, alone or on an issue (wire facts 4.8). */
export const presentOrganizationLabel = (label: LabelView, orgName: string, urls: Urls): Label => present(label, urls.api("orgs", orgName, "labels", label.id));

/** Presents a label of a repository, or a repository or organization label on one of its issues. */
export const presentLabel = (label: LabelView, repository: { readonly ownerName: string; readonly name: string }, urls: Urls): Label =>
  label.orgId === null
    ? present(label, urls.api("repos", repository.ownerName, repository.name, "labels", label.id))
    : presentOrganizationLabel(label, repository.ownerName, urls);

const present = (label: LabelView, url: string): Label => ({
  id: label.id,
  name: label.name,
  exclusive: label.isExclusive,
  is_archived: label.isArchived,
  color: label.color,
  description: label.description,
  url,
});
