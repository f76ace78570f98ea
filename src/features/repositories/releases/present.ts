import { anonymous } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Attachment } from "../../../wire/attachment.ts";
import type { Release } from "../../../wire/release.ts";
import { ghost } from "../../accounts/users/ghost.ts";
import { presentUser } from "../../accounts/users/present.ts";
import type { AttachmentView } from "../../collaboration/issues/model.ts";
import { presentAttachment } from "../../collaboration/issues/present.ts";
import type { ReleaseView } from "./model.ts";

/** A release of the repository `owner/name`, the same for every viewer. */
export const presentRelease = (release: ReleaseView, fullName: string, urls: Urls): Release => ({
  id: release.id,
  tag_name: release.tagName,
  target_commitish: release.target,
  name: release.title,
  body: release.note,
  url: urls.api("repos", fullName, "releases", release.id),
  html_url: urls.web(fullName, "releases", "tag", release.tagName),
  tarball_url: urls.web(fullName, "archive", `${release.tagName}.tar.gz`),
  zipball_url: urls.web(fullName, "archive", `${release.tagName}.zip`),
  upload_url: urls.api("repos", fullName, "releases", release.id, "assets"),
  draft: release.isDraft,
  prerelease: release.isPrerelease,
  created_at: formatTime(release.createdMs),
  published_at: formatTime(release.publishedMs),
  author: presentUser(release.author ?? ghost, anonymous, urls, "none"),
  assets: release.assets.map((asset) => presentAsset(asset, { fullName, tagName: release.tagName }, urls)),
});

/**
 * @compat the URL has the tag and file name in releases and lists, but the id if the attachment is requested alone (releases/api.test.ts)
 */
export const presentAsset = (asset: AttachmentView, release: { readonly fullName: string; readonly tagName: string }, urls: Urls): Attachment => ({
  ...presentAttachment(asset, urls),
  browser_download_url: urls.web(release.fullName, "releases", "download", release.tagName, asset.name),
});
