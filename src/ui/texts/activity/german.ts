import type { activity as english } from "./english.ts";

export const activity: typeof english = {
  in: "in",
  withheld: "tat etwas",
  verbs: {
    create_repo: "legte das Repository an:",
    rename_repo: (former) => `benannte ${former} um in`,
    transfer_repo: (former) => `verschob ${former} nach`,
    newBranch: "pushte den Branch",
    push: (commits) => (commits === 1 ? "pushte 1 Commit auf" : `pushte ${commits} Commits auf`),
    push_tag: "pushte den Tag",
    delete_tag: "löschte den Tag",
    delete_branch: "löschte den Branch",
    publish_release: "veröffentlichte die Version",
    create_issue: "eröffnete das Issue",
    comment_issue: "kommentierte das Issue",
    close_issue: "schloss das Issue",
    reopen_issue: "öffnete wieder das Issue",
    create_pull_request: "eröffnete den Pull-Request",
    comment_pull: "kommentierte den Pull-Request",
    close_pull_request: "schloss den Pull-Request",
    reopen_pull_request: "öffnete wieder den Pull-Request",
    approve_pull_request: "billigte den Pull-Request",
    reject_pull_request: "bat um Änderungen am Pull-Request",
    pull_review_dismissed: "verwarf ein Review des Pull-Requests",
  },
};
