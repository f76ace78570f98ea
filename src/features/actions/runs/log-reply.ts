import type { Reader } from "../../../db/db.ts";
import type { RawReply } from "../../../http/answers.ts";
import { contentDisposition } from "../../../http/file-answer.ts";
import type { JobRow, RunRow } from "./model.ts";
import { formatLine, streamLog } from "./service/logs.ts";

/** The log of the present attempt of a job, for the API and the pages. Each line begins with its time. */
export function logReply({ db }: { readonly db: Reader }, run: Pick<RunRow, "workflowFile">, { name, taskId }: Pick<JobRow, "name" | "taskId">): RawReply {
  const workflow = run.workflowFile.replace(/(?<=.)\..*/s, "");
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": contentDisposition("attachment", `${workflow}-${name}-${taskId ?? 0}.log`),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  };
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    if (taskId !== null) for await (const lines of streamLog(db, taskId)) yield Buffer.from(lines.map(formatLine).join(""));
  }
  return { status: 200, headers, body: { pieces: pieces() } };
}
