import { Resolver as NameServers } from "node:dns/promises";
import type { NameResolver } from "./guard.ts";

/** `timeout` is in milliseconds; both apply per name server. */
const NAME_SERVER_LIMITS = { timeout: 3000, tries: 2 };

/** Bypasses the system resolver: slow lookups would block its few threads, shared with files. */
export function createResolver(servers?: readonly string[]): NameResolver {
  const resolver = new NameServers(NAME_SERVER_LIMITS);
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    // Without any address, the IPv4 error is reported.
    if (found.length === 0 && four.status === "rejected") throw four.reason;
    return found;
  };
}
