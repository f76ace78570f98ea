import { expect, test } from "vitest";
import { type HookType, hookTypes } from "../model.ts";
import { bodyOf } from "./body.ts";
import type { Payload } from "./summary.ts";

const repository = { full_name: "ada/engine", html_url: "https://forge.example/ada/engine" };
const sender = { login: "ada", html_url: "https://forge.example/ada", avatar_url: "https://forge.example/avatars/1" };
const issue = { number: 7, title: "<b>Fix & </b>", body: "a [link](x) <script>", html_url: "https://forge.example/ada/engine/issues/7" };
const opened: Payload = { action: "opened", repository, sender, issue };
const push: Payload = {
  ref: "refs/heads/main",
  compare_url: "https://forge.example/ada/engine/compare/a...b",
  total_commits: 2,
  commits: [
    { id: "0123456789abcdef", message: "Second\n\nLong story", url: "https://forge.example/c/2", author: { name: "Ada" } },
    { id: "fedcba9876543210", message: "First", url: "https://forge.example/c/1", author: { name: "Bob" } },
  ],
  repository,
  sender,
};

const sent = (type: HookType, event: string, payload: object, settings: Readonly<Record<string, string>> = {}, contentType: "json" | "form" = "json") => {
  const delivery = { uuid: "b5c4", event, payload: JSON.stringify(payload) };
  return bodyOf({ type, url: "https://chat.example/room?key=1", contentType, settings }, delivery);
};
const message = (type: HookType, event: string, payload: object, settings?: Readonly<Record<string, string>>) =>
  JSON.parse(sent(type, event, payload, settings).body);

test.each(hookTypes)("%s is sent the same bytes each time", (type) => {
  expect(sent(type, "push", push)).toEqual(sent(type, "push", push));
  expect(sent(type, "push", push).method).toBe(type === "matrix" ? "PUT" : "POST");
});

test("steps of runs and jobs are described", () => {
  const url = "https://forge.example/ada/engine/actions/runs/1";
  const job = { name: "build", status: "completed", conclusion: "failure", html_url: url };
  const run = { display_title: "Fix", status: "in_progress", html_url: url };
  const { text } = message("slack", "workflow_run", { action: "in_progress", repository, sender, workflow_run: run }, { channel: "#c" });
  expect(text).toBe(`[<https://forge.example/ada/engine|ada/engine>] <${url}|run Fix>: started by <https://forge.example/ada|ada>`);
  expect(message("discord", "workflow_job", { action: "completed", repository, sender, workflow_job: job })).toMatchObject({
    embeds: [{ title: "[ada/engine] job build: failure by ada", url, color: 0xff3232 }],
  });
});

test("user text is escaped in every markup", () => {
  expect(message("slack", "issues", opened, { channel: "#c", username: "forge" })).toEqual({
    channel: "#c",
    text: "[<https://forge.example/ada/engine|ada/engine>] issue opened: <https://forge.example/ada/engine/issues/7|#7 &lt;b&gt;Fix &amp; &lt;/b&gt;> by <https://forge.example/ada|ada>",
    username: "forge",
    icon_url: "",
    unfurl_links: 0,
    link_names: 0,
    attachments: [{ color: "#1ac600", title: "", title_link: issue.html_url, text: "a [link](x) &lt;script&gt;" }],
  });
  const { text, parse_mode } = message("telegram", "issues", opened);
  expect([parse_mode, text.includes("<script>"), text.includes("<b>")]).toEqual(["HTML", false, false]);
  const { formatted_body, format, msgtype } = message("matrix", "issues", opened, { message_type: "2" });
  expect([msgtype, format, formatted_body.includes("<script>")]).toEqual(["m.text", "org.matrix.custom.html", false]);
});

test("a push lists its commits", () => {
  expect(message("feishu", "push", push)).toEqual({
    msg_type: "text",
    content: { text: "[ada/engine] 2 new commits on main by ada\r\n\r\n0123456 Second - Ada\nfedcba9 First - Bob" },
  });
  expect(message("discord", "push", push).embeds[0]).toMatchObject({
    title: "[ada/engine] 2 new commits on main by ada",
    url: push.compare_url,
    description: "[0123456](https://forge.example/c/2) Second - Ada\n[fedcba9](https://forge.example/c/1) First - Bob",
    author: { name: "ada" },
  });
  expect(message("dingtalk", "push", push)).toMatchObject({ msgtype: "actionCard", actionCard: { singleURL: push.compare_url } });
  expect(message("msteams", "push", push)).toMatchObject({ "@type": "MessageCard", summary: "[ada/engine] 2 new commits on main by ada" });
  expect(message("wechatwork", "push", push)).toMatchObject({ msgtype: "markdown" });
});

test.each([
  ["its own page", "https://ci.example/1", "https://ci.example/1"],
  ["the repository, without a page of its own", "https://forge.example/", repository.html_url],
])("a status links to %s", (_what, target, link) => {
  const status = { state: "success", context: "ci", sha: "0123456789abcdef", target_url: target, repository, sender };
  expect(message("discord", "status", status).embeds[0].url).toBe(link);
});

test("Matrix gets a message under its own id, Packagist the address, and a form the payload", () => {
  expect(sent("matrix", "push", push).url).toBe("https://chat.example/room/b5c4?key=1");
  expect(message("packagist", "push", push)).toEqual({ repository: { url: repository.html_url } });
  expect(new URLSearchParams(sent("gogs", "push", push, {}, "form").body).get("payload")).toBe(JSON.stringify(push));
});

test.each([
  ["create", { ref: "v1", ref_type: "tag", repository, sender }, "[ada/engine] tag v1 created by ada"],
  ["delete", { ref: "x", ref_type: "branch", repository, sender }, "[ada/engine] branch x deleted by ada"],
  ["repository", { action: "created", repository, sender }, "[ada/engine] repository created by ada"],
  [
    "pull_request",
    { action: "closed", pull_request: { ...issue, title: "t", merged: true }, repository, sender },
    "[ada/engine] pull request merged: #7 t by ada",
  ],
  [
    "pull_request_approved",
    { action: "reviewed", pull_request: { ...issue, title: "t" }, review: { content: "" }, repository, sender },
    "[ada/engine] pull request review approved: #7 t by ada",
  ],
  [
    "issue_comment",
    { action: "created", issue: { ...issue, title: "t" }, comment: { body: "", html_url: "u" }, repository, sender },
    "[ada/engine] comment created on issue #7 t by ada",
  ],
  [
    "release",
    { action: "published", release: { name: "", tag_name: "v1", html_url: "u", body: "" }, repository, sender },
    "[ada/engine] release v1 published by ada",
  ],
  ["wiki", { action: "edited", page: "Home", repository, sender }, "[ada/engine] wiki page Home edited by ada"],
  ["status", { state: "success", context: "ci", sha: "0123456789abcdef", repository, sender }, "[ada/engine] ci: success on 0123456789 by ada"],
])("%s in one line", (event, payload, line) => expect(message("feishu", event, payload).content.text).toBe(line));
