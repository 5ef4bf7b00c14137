import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { isPublicAddress, isWebPort } from "../../src/outside/public-addresses.ts";
import { createPublicFetch } from "../../src/outside/public-fetch.ts";

/**
 * A host of the inside at two addresses, of which tests call 127.0.0.2 public: every connection to
 * it is counted.
 */
async function openInside() {
  const connections: string[] = [];
  const servers: Server[] = [];
  let port = 0;
  for (const address of ["127.0.0.1", "127.0.0.2"]) {
    const server = createServer((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "http://127.0.0.1/secret" });
      else response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    });
    server.on("connection", (socket) => connections.push(String(socket.localAddress)));
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
  }
  return {
    port,
    connections,
    async [Symbol.asyncDispose]() {
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A name server with these answers in order, repeating the last. */
function answering(...answers: string[][]) {
  let asked = 0;
  const resolver = () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? []);
  return { resolver, asked: () => asked };
}

const mayReach = (address: string) => address === "127.0.0.2";
const outcome = (work: Promise<Response>) =>
  work.then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
const REFUSED = "the name resolves to an address that is not public";

test("classifies each address of this machine, local networks and their translations as inside", () => {
  // Attack: an inside address in an unusual form.
  const inside = [
    "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1",
    "192.168.1.1 198.18.0.1 198.51.100.7 224.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1",
    "::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1 fd12::1",
    "fe80::1 fec0::1 ff02::1 5f00::1 localhost 127.1 0x7f.1 fe80::1%eth0 2606:4700::1111%eth0",
  ].flatMap((line) => line.split(" "));
  expect(inside.filter(isPublicAddress)).toEqual([]);
  const outside = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "172.32.0.1",
    "192.0.3.1",
    "2606:4700::1111",
    "2a00:1450::1",
  ];
  expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test("addresses at which a cloud serves its own virtual machines are not public", () => {
  // Attack: reading credentials or configuration from a cloud's metadata service.
  const services = {
    "AWS, Google Cloud, Azure, Oracle, OpenStack metadata": "169.254.169.254",
    "AWS metadata over IPv6": "fd00:ec2::254",
    "AWS container credentials": "169.254.170.2",
    "AWS DNS over IPv6": "fd00:ec2::253",
    "Google Cloud metadata over IPv6": "fd20:ce::254",
    "OpenStack metadata over IPv6": "fe80::a9fe:a9fe",
    "Azure WireServer": "168.63.129.16",
    "Azure WireServer, mapped": "::ffff:168.63.129.16",
    "Alibaba metadata": "100.100.100.200",
    "Tencent metadata": "169.254.0.23",
    "Scaleway metadata": "169.254.42.42",
    "Oracle Classic metadata": "192.0.0.192",
    "IBM DNS": "161.26.0.10",
    "IBM infrastructure, last": "161.26.255.255",
    "IBM service endpoints, first": "166.8.0.0",
    "IBM service endpoints, last": "166.11.255.255",
  };
  expect(Object.entries(services).filter(([, address]) => isPublicAddress(address))).toEqual([]);
  const neighbours = ["168.63.129.15", "168.63.129.17", "161.25.255.255", "161.27.0.0", "166.7.255.255", "166.12.0.0"];
  expect(neighbours.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test("a name that leads inside is not connected to, whatever else it leads to", async () => {
  // Attack: server-side request forgery by a name in the attacker's own zone.
  await using inside = await openInside();
  const url = `http://assistant.example:${inside.port}/`;
  const answers = [
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["127.0.0.2", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.2"],
    [],
  ];
  for (const answer of answers) {
    const { resolver } = answering(answer);
    expect([answer, await outcome(createPublicFetch({ resolver, isAllowedAddress: mayReach })(url))]).toEqual([
      answer,
      REFUSED,
    ]);
  }
  expect(inside.connections).toEqual([]);
});

test("connects to the address that was checked, even if the name changes meanwhile", async () => {
  // Attack: DNS rebinding, a public address for the check and an inside one for the connection.
  await using inside = await openInside();
  const names = answering(["127.0.0.2"], ["127.0.0.1"]);
  const fetch = createPublicFetch({ resolver: names.resolver, isAllowedAddress: mayReach });
  const url = `http://rebind.example:${inside.port}/`;
  expect(await outcome(fetch(url))).toBe(200);
  expect([names.asked(), inside.connections]).toEqual([1, ["127.0.0.2"]]);
  expect(await outcome(fetch(url))).toBe(REFUSED);
  expect([names.asked(), inside.connections]).toEqual([2, ["127.0.0.2"]]);
});

test("a redirect to the inside is given back, never followed", async () => {
  // Attack: a public document that moves to an address of the inside.
  await using inside = await openInside();
  const { resolver } = answering(["127.0.0.2"]);
  const answer = await createPublicFetch({ resolver, isAllowedAddress: mayReach })(
    `http://assistant.example:${inside.port}/moved`,
  );
  expect([answer.status, inside.connections]).toEqual([302, ["127.0.0.2"]]);
});

test("an address in place of a name is looked at however it is written", async () => {
  // Attack: decimal, octal, hexadecimal, short and mapped forms of an address of the inside.
  await using inside = await openInside();
  const forms = [
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0x7f.1",
    "127.1",
    "017700000001",
    "0",
    "[::1]",
  ];
  const mapped = [
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::]",
    "①②⑦.0.0.1",
    "127。0。0。1",
  ];
  const outcomes: Record<string, unknown> = {};
  for (const form of [...forms, ...mapped])
    outcomes[form] = await outcome(createPublicFetch()(`http://${form}:${inside.port}/`));
  expect(outcomes).toEqual(Object.fromEntries([...forms, ...mapped].map((form) => [form, REFUSED])));
  expect(await outcome(createPublicFetch()(`http://localhost:${inside.port}/`))).toBe(REFUSED);
  expect(inside.connections).toEqual([]);
});

test("neither a port of another protocol, another scheme nor an address with a password is connected to", async () => {
  // Attack: lines of a request that a mail server or a cache takes for its own, and a password sent
  // along a redirect.
  await using inside = await openInside();
  const fetch = createPublicFetch({ isAllowedAddress: mayReach });
  const at = `127.0.0.2:${inside.port}`;
  const outcomes = Object.fromEntries(
    await Promise.all(
      [
        "http://127.0.0.2:25/",
        "http://127.0.0.2:0/",
        `ftp://${at}/`,
        `file:///etc/passwd`,
        `http://me:secret@${at}/`,
      ].map(async (url) => [url, await outcome(fetch(url))] as const),
    ),
  );
  expect(outcomes).toEqual({
    "http://127.0.0.2:25/": "the port is not one of the web",
    "http://127.0.0.2:0/": "the port is not one of the web",
    [`ftp://${at}/`]: "the address is neither http nor https",
    "file:///etc/passwd": "the address is neither http nor https",
    [`http://me:secret@${at}/`]: "the address holds a user or a password",
  });
  expect(inside.connections).toEqual([]);
});

test("blocks the same ports as fetch of Node.js", async () => {
  // Attack: a port that browsers block and the guard forgot. Blocked ports are never connected to.
  const refused = Array.from({ length: 65_536 }, (_, port) => port).filter((port) => !isWebPort(port));
  const asked = refused.filter((port) => port !== 0).map((port) => globalThis.fetch(`http://127.0.0.1:${port}/`));
  const causes = (await Promise.allSettled(asked)).map((result) =>
    result.status === "rejected" && result.reason instanceof TypeError ? result.reason.cause : undefined,
  );
  expect([refused.length, new Set(causes.map(String))]).toEqual([83, new Set(["Error: bad port"])]);
  expect([80, 443, 3000, 8080, 8443, 65_535].filter((port) => !isWebPort(port))).toEqual([]);
  expect([-1, 1.5, 65_536, Number.NaN].filter(isWebPort)).toEqual([]);
});
