import type { RequestListener } from "node:http";
import lightMyRequest, { type DispatchFunc, type InjectOptions, type Response } from "light-my-request";

/**
 * Calls a server without a socket: from any address, and thousands of times without running out of ports.
 * @param asked options, or the path alone
 */
export const inject = ({ handle }: { readonly handle: RequestListener }, requested: InjectOptions | string): Promise<Response> =>
  lightMyRequest(handle as unknown as DispatchFunc, requested);
