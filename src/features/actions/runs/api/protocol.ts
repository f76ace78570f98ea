import { anyone } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { ProtocolDeps } from "./calls.ts";

/** Common declarations of the calls of runners (Connect protocol, unary). Runners authenticate with headers of their own. */
const runnerCall = {
  method: "POST",
  mount: "root",
  tag: "miscellaneous",
  isUnlisted: true,
  access: anyone,
  scope: "none",
  ignoresCredentials: true,
  streamsBody: true,
  answers: raw(["application/proto", "application/json"]),
} as const;

const runnerService = "/api/actions/runner.v1.RunnerService";

/** Many servers have no runner. */
const calls = () => import("./calls.ts");

/** The protocol of runners: they register, wait for tasks, and report states and logs. */
export function protocolRoutes(deps: ProtocolDeps): Route[] {
  return [
    defineRoute({
      ...runnerCall,
      id: "runnerPing",
      path: "/api/actions/ping.v1.PingService/Ping",
      summary: "Check the connection of a runner",
      handle: async (request) => (await calls()).ping(request),
    }),
    defineRoute({
      ...runnerCall,
      id: "runnerRegister",
      path: `${runnerService}/Register`,
      summary: "Register a runner",
      handle: async (request) => (await calls()).register(deps, request),
    }),
    defineRoute({
      ...runnerCall,
      id: "runnerDeclare",
      path: `${runnerService}/Declare`,
      summary: "Declare the version and the labels of a runner",
      handle: async (request) => (await calls()).declare(deps, request),
    }),
    defineRoute({
      ...runnerCall,
      id: "runnerFetchTask",
      path: `${runnerService}/FetchTask`,
      summary: "Wait for a task",
      handle: async (request) => (await calls()).fetchTask(deps, request),
    }),
    defineRoute({
      ...runnerCall,
      id: "runnerUpdateTask",
      path: `${runnerService}/UpdateTask`,
      summary: "Report the state of a task",
      handle: async (request) => (await calls()).updateTask(deps, request),
    }),
    defineRoute({
      ...runnerCall,
      id: "runnerUpdateLog",
      path: `${runnerService}/UpdateLog`,
      summary: "Append lines to the log of a task",
      handle: async (request) => (await calls()).updateLog(deps, request),
    }),
  ];
}
