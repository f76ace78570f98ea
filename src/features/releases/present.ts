import { anonymous } from "../../access/actor.ts";
import { formatTime } from "../../core/time.ts";
import type { Urls } from "../../core/urls.ts";
import type { Release } from "../../wire/release.ts";
import { presentAttachment } from "../issues/present.ts";
import { ghost } from "../users/ghost.ts";
import { presentUser } from "../users/present.ts";
import type { ReleaseView } from "./view.ts";

/**
 * A release of the repository `owner/name`, alike for everybody who sees it.
 * @compat its files have addresses by tag and name here, and by their own ids where they are shown alone (wire facts 4.5)
 */
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
  author: presentUser(release.author ?? ghost, anonymous, urls, "nobody"),
  assets: release.assets.map((asset) => ({
    ...presentAttachment(asset, urls),
    browser_download_url: urls.web(fullName, "releases", "download", release.tagName, asset.name),
  })),
});
