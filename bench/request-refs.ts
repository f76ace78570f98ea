import { once } from "node:events";
import { connect } from "node:net";

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
const lsRefsRequest = `${packet("command=ls-refs\n")}${packet("agent=git/2.39.5")}${packet("object-format=sha1")}0001${packet("peel\n")}${packet("symrefs\n")}0000`;

/**
 * Sends the requests of `git ls-remote`, on a new connection as git does. Unlike git, this client hardly uses the machine: git's processes
 * displace the server from the CPU caches, and the same requests then cost the server two to three times as much.
 * @throws Error if the response is not 200
 */
export async function requestRefs(repository: string): Promise<void> {
  const { hostname, port, host, pathname } = new URL(repository);
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: git/2.39.5\r\nGit-Protocol: version=2\r\n`;
  const socket = connect(Number(port), hostname);
  const readResponse = async (): Promise<void> => {
    let received = "";
    while (!isComplete(received)) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      received += chunk.toString("latin1");
    }
    if (!received.startsWith("HTTP/1.1 200 ")) throw new Error(`${repository} answered ${received.split("\r\n", 1)[0]}`);
  };
  try {
    socket.write(`${head(`GET ${pathname}/info/refs?service=git-upload-pack`)}\r\n`);
    await readResponse();
    const type = `Content-Type: application/x-git-upload-pack-request\r\nContent-Length: ${lsRefsRequest.length}\r\n`;
    socket.write(`${head(`POST ${pathname}/git-upload-pack`)}${type}\r\n${lsRefsRequest}`);
    await readResponse();
  } finally {
    socket.end();
  }
}

/** Whether a response has the length that its header announces. */
function isComplete(response: string): boolean {
  const end = response.indexOf("\r\n\r\n");
  return end >= 0 && response.length >= end + 4 + Number(/^content-length: (\d+)/im.exec(response.slice(0, end))?.[1] ?? 0);
}
