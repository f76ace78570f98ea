import { Agent, type ClientRequest, type RequestOptions, request } from "node:http";

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
const question = `${packet("command=ls-refs\n")}${packet("agent=git/2.39.5")}${packet("object-format=sha1")}0001${packet("peel\n")}${packet("symrefs\n")}0000`;
const version = { "git-protocol": "version=2" };

/** Asks what `git ls-remote` asks, on a connection of its own as git does, by a client that hardly takes any of the machine. @throws Error unless it is answered */
export async function askForRefs(repository: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  try {
    await answered(request(`${repository}/info/refs?service=git-upload-pack`, { agent, headers: version }));
    const headers = { ...version, "content-type": "application/x-git-upload-pack-request", "content-length": question.length };
    const post: RequestOptions = { agent, method: "POST", headers };
    await answered(request(`${repository}/git-upload-pack`, post), question);
  } finally {
    agent.destroy();
  }
}

const answered = (sent: ClientRequest, body?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`${sent.path} answered ${response.statusCode}`))));
    });
    sent.end(body);
  });
