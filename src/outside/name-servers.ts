import { Resolver as NameServers } from "node:dns/promises";
import type { Resolver } from "./guard.ts";

/** Milliseconds that one name server is waited for, and how often each is asked. */
const LIMITS = { timeout: 3000, tries: 2 };

/**
 * Asks name servers for the addresses of names, without this machine's file of hosts: a name that takes long to resolve occupies
 * none of the few threads that the system's look-ups share with files and hashes.
 */
export function resolverOf(servers?: readonly string[]): Resolver {
  const resolver = new NameServers(LIMITS);
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    // Of two failures the first is told: there is no address of either kind.
    if (found.length === 0 && four.status === "rejected") throw four.reason;
    return found;
  };
}
