/**
 * Addresses of inside targets, with their port. `reaches` is true if the address leads to the
 * canary without the guard; the others are in networks this machine is not in, or are no web
 * addresses.
 */
export interface InternalAddress {
  url: string;
  reaches: boolean;
}

const LOOPBACK_HOSTS = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.0.0.2",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7F.0.0.1",
  "0x7f.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.1",
  "0000177.0.0.01",
  "017700000001",
  "127.0x0.00.1",
  "127.000.000.001",
  "%31%32%37.0.0.1",
  "127%2e0%2e0%2e1",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "127．0．0．1",
  "127｡0｡0｡1",
  "１２７.０.０.１",
  "127.0.\t0.1",
  "0",
  "0x0",
  "0.0.0.0",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::FFFF:7F00:0001]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::]",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "app.localhost",
  "v4.inside.example",
  "v6.inside.example",
  "mapped.inside.example",
  "zero.inside.example",
];

const OTHER_HOSTS = [
  "mixed.inside.example",
  "metadata.inside.example",
  "private.inside.example",
  "translated.inside.example",
  "nothing.inside.example",
  "169.254.169.254",
  "0xa9fea9fe",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::127.0.0.1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::1]",
  "[2001:db8::1]",
  "[100::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[::1%25lo]",
  "[fe80::1%25eth0]",
  "127.0.0.1%00.site.example",
  "127.0.0.256",
];

/** Names in an attacker's zone, and names on each machine. `mixed` also has a public address. */
export const INTERNAL_NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  localhost: [["127.0.0.1", "::1"]],
  "app.localhost": [["127.0.0.1"]],
  "v4.inside.example": [["127.0.0.1"]],
  "v6.inside.example": [["::1"]],
  "mapped.inside.example": [["::ffff:127.0.0.1"]],
  "zero.inside.example": [["0.0.0.0"]],
  "mixed.inside.example": [["93.184.215.14", "127.0.0.1"]],
  "metadata.inside.example": [["169.254.169.254"]],
  "private.inside.example": [["10.0.0.1"]],
  "translated.inside.example": [["64:ff9b::7f00:1"]],
  "site.example": [["93.184.215.14"]],
};

const form = (reaches: boolean) => (url: string) => ({ url, reaches });

export function listInternalAddresses(port: number): InternalAddress[] {
  const at = `127.0.0.1:${port}/`;
  return [
    ...LOOPBACK_HOSTS.map((host) => `http://${host}:${port}/`).map(form(true)),
    ...[
      `https://${at}`,
      `https://[::1]:${port}/`,
      `http:\\\\127.0.0.1:${port}\\`,
      `HTTP://${at}`,
      ` http://${at} `,
    ].map(form(true)),
    ...[`http:${at}`, `http:/${at}`, `http:///${at}`, `http://${at}#@site.example/`].map(form(true)),
    ...[`http://me:secret@${at}`, `http://site.example@${at}`, `http://site.example:80@${at}`].map(form(true)),
    ...OTHER_HOSTS.map((host) => `http://${host}:${port}/`).map(form(false)),
    ...[`ftp://${at}`, `ws://${at}`, `gopher://${at}`, `file://${at}`, "file:///etc/passwd"].map(form(false)),
    ...[`view-source:http://${at}`, `jar:http://${at}!/`, "javascript:1", "data:text/html,x", "//", ""].map(
      form(false),
    ),
  ];
}
