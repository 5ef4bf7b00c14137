import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * The client address of a request, for rate limits. Behind the one trusted proxy it is the address that the proxy added
 * last: everything before it is chosen by the caller.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers["x-forwarded-for"] : undefined;
  const last = [forwarded ?? []].flat().join(",").split(",").at(-1)?.trim();
  return network(last === undefined || last === "" ? (request.socket.remoteAddress ?? "") : last.slice(0, 64));
}

/** An IPv4 address in full; the /64 of an IPv6 address, because one customer has at least that many. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const withoutZone = address.split("%", 1)[0] ?? "";
  const groups = groupsOf(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMappedIPv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address in URL form (WHATWG URL section 3.5): hexadecimal, `::` at most once. */
function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
