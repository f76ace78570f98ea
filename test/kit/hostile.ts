import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An unusual environment. CI runs all tests in it (tools/ci.ts); the tests see its time zone, language and umask but not the rest
 * (global-setup.ts). `hostile-environment.test.ts` runs the program in all of it.
 */

/** A restrictive umask: files are not readable by others. */
export const hostileUmask = 0o077;

/** Settings of a user's git that change the output of nearly every command. */
const gitConfig = `[core]
	hooksPath = /nonexistent/hooks
	fsmonitor = /nonexistent/fsmonitor
	autocrlf = true
	quotePath = true
	pager = false
	attributesFile = /nonexistent/attributes
[init]
	defaultBranch = trunk
	templateDir = /nonexistent/template
[user]
	useConfigOnly = true
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[gpg]
	program = false
[transfer]
	fsckObjects = true
	hideRefs = refs/heads
[uploadpack]
	allowFilter = false
	hideRefs = refs/tags
	packObjectsHook = false
[receive]
	denyCurrentBranch = refuse
	maxInputSize = 1
[protocol]
	allow = never
	version = 0
[protocol "file"]
	allow = never
[url "https://elsewhere.invalid/"]
	insteadOf = http://
[http]
	proxy = http://127.0.0.1:1
[fetch]
	prune = true
[merge]
	ff = only
[pull]
	rebase = true
[log]
	showSignature = true
[diff]
	noprefix = true
	external = false
	mnemonicPrefix = true
[color]
	ui = always
[i18n]
	commitEncoding = ISO-8859-9
	logOutputEncoding = ISO-8859-9
[safe]
	bareRepository = explicit
[alias]
	st = !false
[push]
	default = nothing
`;

/** Writes such settings to a home folder. */
export function writeHostileHome(folder: string): void {
  mkdirSync(join(folder, ".config", "git"), { recursive: true });
  writeFileSync(join(folder, ".gitconfig"), gitConfig);
  writeFileSync(join(folder, ".config", "git", "attributes"), "* text=auto eol=crlf filter=missing\n");
  writeFileSync(join(folder, ".config", "git", "ignore"), "*\n");
}

/** Variables that a shell may have set for other programs. Their paths do not exist. */
export const hostileVariables: Readonly<Record<string, string>> = {
  TZ: "Pacific/Chatham",
  LANG: "tr_TR.UTF-8",
  LC_ALL: "tr_TR.UTF-8",
  LANGUAGE: "tr:ar",
  NODE_OPTIONS: "--no-deprecation",
  GIT_DIR: "/nonexistent/git",
  GIT_WORK_TREE: "/nonexistent",
  GIT_INDEX_FILE: "/nonexistent/index",
  GIT_OBJECT_DIRECTORY: "/nonexistent/objects",
  GIT_ALTERNATE_OBJECT_DIRECTORIES: "/nonexistent/others",
  GIT_NAMESPACE: "elsewhere",
  GIT_CEILING_DIRECTORIES: "/",
  GIT_AUTHOR_NAME: "Someone Else",
  GIT_AUTHOR_EMAIL: "else@example.org",
  GIT_AUTHOR_DATE: "2001-01-01T00:00:00+1245",
  GIT_COMMITTER_NAME: "Someone Else",
  GIT_COMMITTER_EMAIL: "else@example.org",
  GIT_COMMITTER_DATE: "2001-01-01T00:00:00+1245",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.hooksPath",
  GIT_CONFIG_VALUE_0: "/nonexistent/hooks",
  GIT_PROTOCOL: "version=0",
  GIT_SSH_COMMAND: "false",
  GIT_EXTERNAL_DIFF: "false",
  GIT_PAGER: "false",
  GIT_EDITOR: "false",
};

/** Names that programs often use in the folder for temporary files. */
export function writeDecoys(folder: string): void {
  for (const name of ["pwned", "x", "evil.so", "hearth.db", "hearth-db", "data", "pg", "ready", "failed", "template.db", "home"]) {
    writeFileSync(join(folder, name), "of another program\n");
  }
  for (const name of ["hearth", "repositories", "hearth-patch-test", "tmp"]) mkdirSync(join(folder, name));
}
