/** The download of a user's data. */
export const english = {
  intro: "Download a copy of your data as a tar archive. It contains:",
  contents: [
    "your profile, settings, email addresses, organizations, stars, watched repositories and followed users",
    "your SSH and GPG keys, and the names and scopes of your access tokens",
    "the issues, pull requests, comments and reviews that you have written in all repositories",
    "your own repositories with all branches, tags, issues, pull requests, releases, files and wikis, in a form that another server can import",
  ],
  without: "It contains no passwords, tokens or other secrets. Repositories of organizations are not part of it.",
  hint: "You get a link that is valid for 15 minutes, for one download, and only while you are signed in. The download is recorded in the audit log.",
  create: "Create link",
  ready:
    "The link is valid for 15 minutes and for one download. If the download is interrupted, create a new one. A complete archive ends with the file hearth-account.json.",
  download: "Download data",
};
