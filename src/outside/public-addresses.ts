import { BlockList, isIP } from "node:net";

// IANA special-purpose address registries (RFC 6890), and multicast. In IPv6 only 2000::/3 is
// public, which excludes mapped and translated addresses. Teredo (2001::/32) and 6to4 (2002::/16)
// embed IPv4 addresses.
const NOT_PUBLIC_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;
const NOT_PUBLIC_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

// Cloud services for virtual machines outside the special-purpose ranges. The ranges cover AWS,
// Google Cloud, OpenStack, Alibaba and Oracle.
const CLOUD_HOSTS_V4 = [
  // Azure WireServer, DNS and health probes:
  // learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ["168.63.129.16", 32],
  // IBM Cloud infrastructure and service endpoints:
  // cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
  ["161.26.0.0", 16],
  ["166.8.0.0", 14],
] as const;

const nonPublicAddresses = new BlockList();
for (const [network, prefix] of [...NOT_PUBLIC_V4, ...CLOUD_HOSTS_V4])
  nonPublicAddresses.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of NOT_PUBLIC_V6) nonPublicAddresses.addSubnet(network, prefix, "ipv6");
const allocatedAddresses = new BlockList();
allocatedAddresses.addSubnet("2000::", 3, "ipv6");

/** Also false for internal cloud services and translated addresses. A zone (`%eth0`) is local. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !nonPublicAddresses.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  return allocatedAddresses.check(address, "ipv6") && !nonPublicAddresses.check(address, "ipv6");
}

// Ports that browsers block (Fetch standard section 2.9, "bad port"), because other services would
// interpret lines of a request as commands.
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export function isWebPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port <= 65_535 && !BLOCKED_PORTS.has(port);
}
