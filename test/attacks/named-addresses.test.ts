import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { openPageFinder } from "../../src/jobs/audits/find-pages.ts";
import { openOutside, type OpenOutside } from "../../src/outside/outside.ts";
import { CHECKER } from "../audits/checker.ts";
import { createCrawler } from "../audits/crawler-scene.ts";
import { listInternalAddresses } from "../audits/internal-addresses.ts";
import { internalAddressScene, openWithoutGuard } from "../audits/internal-address-scene.ts";
import { report } from "../support/proof.ts";
import { world } from "../support/world.ts";

/**
 * Files that send requests, and the origin of their addresses: guarded tenants, or the operator's
 * settings.
 */
const SENDERS: Readonly<Record<string, string>> = {
  "src/outside/crawler/open-crawler.ts": "guard",
  "src/outside/outside.ts": "guard",
  "src/outside/public-fetch.ts": "guard",
  "src/outside/partner/partner-request.ts": "PARTNER_BASE_URL",
  "src/outside/platforms/oauth-platform.ts": "settings of the platform",
  "src/outside/platforms/read-accounts.ts": "settings of the platform",
  "src/outside/sources/provider-request.ts": "settings of the source, the scorer or the judge",
  "src/outside/sources/providers/google.ts": "guard",
};

test("each file that sends requests to tenant addresses uses the guard", () => {
  // Attack: server-side request forgery at a place that was added and forgot the guard.
  const root = join(import.meta.dirname, "../..");
  const files = ["src", "auth", "tools", "db", "core"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const sending = files.filter((file) => {
    const code = readFileSync(join(root, file), "utf8");
    const imports = code.matchAll(/^import (?!type )\{([^}]*)\} from "[^"]*\/(?:http|guard|public-fetch)\.ts";/gm);
    const names = [...imports].flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
    return names.some((name) => /^(?:request|boundedFetch|openGuard|publicFetch|secureFetch)\b/.test(name));
  });
  expect(sending.toSorted()).toEqual(Object.keys(SENDERS).toSorted());
});

type Outside = Pick<OpenOutside, "crawler" | "pageFinder" | "fetchClientDocument" | "fetchIdentityProvider">;

const LIMITS = { timeoutMs: 5000 };
/**
 * Every function of the service that asks for an address that a tenant, a client or a page names.
 */
const PLACES: Readonly<Record<string, (outside: Outside, url: string) => Promise<unknown>>> = {
  "a page of an audit": ({ crawler }, url) => crawler.fetchPage(url),
  "robots.txt and llms.txt": ({ crawler }, url) => crawler.fetchText(url),
  "a sitemap": ({ crawler }, url) => crawler.fetchFile(url),
  "the website that is priced": ({ pageFinder }, website) =>
    pageFinder.findPages({ website, sitemapUrl: undefined, maxPages: 10 }, LIMITS),
  "the sitemap that is priced": ({ pageFinder }, sitemapUrl) =>
    pageFinder.findPages({ website: "http://site.example/", sitemapUrl, maxPages: 10 }, LIMITS),
  "the document of a client": ({ fetchClientDocument }, url) => fetchClientDocument(url),
  "an identity provider": ({ fetchIdentityProvider }, url) => fetchIdentityProvider(url),
};

/** Other clients, which take no address from a tenant. */
const OPERATORS = [
  "close",
  "closingSignal",
  "judge",
  "keywords",
  "partner",
  "platforms",
  "scorer",
  "sources",
  "txtRecords",
];

test("no feature with a tenant address reaches inside, in any form; without the guard each does", async () => {
  // Attack: every form of an inside address, at everything that fetches for a tenant.
  await using s = await internalAddressScene();
  const config = readConfig({ DATA_DIR: "unused", DNS_SERVERS: s.names.address });
  const outside = openOutside(config);
  const open = createCrawler({ guard: openWithoutGuard(s.standIn) });
  const allowing = openOutside({ ...config, SSO_ALLOW_PRIVATE_ADDRESSES: true }, { fetch: globalThis.fetch });
  const unguarded: Outside = {
    ...allowing,
    crawler: open,
    pageFinder: openPageFinder(open, { fileParser: CHECKER, closingSignal: allowing.closingSignal }),
  };
  const asking = ["crawler", "pageFinder", "fetchClientDocument", "fetchIdentityProvider"];
  expect(Object.keys(outside).toSorted()).toEqual([...OPERATORS, ...asking].toSorted());

  const forms = listInternalAddresses(s.inside.port).filter(({ url }) => URL.canParse(url));
  const reached: string[] = [];
  const opened: string[] = [];
  for (const [place, ask] of Object.entries(PLACES)) {
    await Promise.all(forms.map(({ url }) => ask(outside, url).catch(() => undefined)));
    if (s.inside.taken().length > 0) reached.push(place);
    await ask(unguarded, `http://127.0.0.1:${s.inside.port}/`).catch(() => undefined);
    if (s.inside.taken().length > 0) opened.push(place);
  }
  report(`${forms.length} forms at ${Object.keys(PLACES).length} places that ask for named addresses`);
  outside.close();
  allowing.close();
  expect({ reached, opened }).toEqual({ reached: [], opened: Object.keys(PLACES) });
});

test("an audit of an inside address is priced without fetching it, with a reason", async () => {
  // Attack: the price of an audit as a probe of the network that the service is in.
  await using s = await internalAddressScene();
  await using w = await world({ env: { DNS_SERVERS: s.names.address } });
  const { owner, workspace } = await w.acme();
  const at = (host: string) => `http://${host}:${s.inside.port}/`;
  const notes: Record<string, unknown> = {};
  for (const host of ["127.0.0.1", "2130706433", "[::ffff:7f00:1]", "v4.inside.example", "localhost"]) {
    const body = { name: "Probe", website: at(host), max_pages: 1 };
    const priced = await owner.post(`${workspace.path}/geo-audits/price`, body);
    const sitemap = { ...body, website: "http://site.example/", sitemap_url: at(host) };
    const mapped = await owner.post(`${workspace.path}/geo-audits/price`, sitemap);
    notes[host] = [priced.body.setup.notes, mapped.body.setup.notes];
  }
  const refused = "could not be read: The address is not on the public internet.";
  const said = [[`robots.txt ${refused}`], [`A sitemap ${refused}`]];
  expect(new Set(Object.values(notes).map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(said)]));
  expect(s.inside.taken()).toEqual([]);
});
