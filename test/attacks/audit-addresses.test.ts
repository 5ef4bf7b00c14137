import { expect, test } from "vitest";
import type { PageOutcome } from "../../core/audits/crawler.ts";
import { createResolver } from "../../src/outside/name-servers.ts";
import { startAddressServer, createCrawler, PUBLIC_ADDRESS, startSite } from "../audits/crawler-scene.ts";
import { listInternalAddresses } from "../audits/internal-addresses.ts";
import { internalAddressScene, openWithoutGuard } from "../audits/internal-address-scene.ts";
import { report } from "../support/proof.ts";

const outcomeOf = (outcome: PageOutcome) => (outcome.kind === "skipped" ? outcome.reason : outcome.kind);
const HTML = { "content-type": "text/html" };
const isRefusal = /^(?:address|scheme|credentials|port)_(?:refused|invalid)$|^name_not_found$/;

test("no form of an inside address is reachable by page, text or redirect; without the guard all are", async () => {
  // Attack: server-side request forgery by an address that a tenant enters, or that a page of
  // theirs redirects to.
  await using s = await internalAddressScene();
  const forms = listInternalAddresses(s.inside.port);
  expect([forms.length >= 60, forms.filter(({ reaches }) => reaches).length >= 40]).toEqual([true, true]);
  const crawler = createCrawler(s.standIn);
  const open = createCrawler({ guard: openWithoutGuard(s.standIn) });
  const wrong: unknown[] = [];
  const reached: string[] = [];
  for (const { url } of forms) {
    const page = outcomeOf(await crawler.fetchPage(url));
    const text = (await crawler.fetchText(url)).kind;
    const redirected = await crawler.fetchPage(`http://site.example/?to=${encodeURIComponent(url)}`);
    const isOfSite = redirected.kind === "page" && new URL(redirected.page.finalUrl).hostname === "site.example";
    const came = s.inside.taken();
    const isStopped = redirected.kind === "skipped" || isOfSite;
    if (!isRefusal.test(page) || text !== "skipped" || !isStopped || came.length > 0)
      wrong.push({ url, page, text, came });
    await open.fetchPage(url);
    if (s.inside.taken().length > 0) reached.push(url);
  }
  report(`${forms.length} forms of inside addresses, ${reached.length} of which lead inside unguarded`);
  expect(wrong).toEqual([]);
  expect(reached).toEqual(forms.filter(({ reaches }) => reaches).map(({ url }) => url));
});

test("connects to the checked address although the name server changes it to an internal one", async () => {
  // Attack: DNS rebinding, a public address for the check and loopback for the connection, then for
  // the next request.
  await using s = await internalAddressScene();
  await using names = await startAddressServer({ "rebind.example": [[PUBLIC_ADDRESS], ["127.0.0.1"]] });
  const crawler = createCrawler({ ...s.standIn, resolver: createResolver([names.address]) });
  const url = `http://rebind.example:${s.inside.port}/`;
  expect(outcomeOf(await crawler.fetchPage(url))).toBe("page");
  expect(names.asked.toSorted()).toEqual(["A rebind.example", "AAAA rebind.example"]);
  expect(outcomeOf(await crawler.fetchPage(url))).toBe("address_refused");
  expect(s.inside.taken()).toEqual([]);

  await using moving = await startAddressServer({ "rebind.example": [[PUBLIC_ADDRESS], ["127.0.0.1"]] });
  const open = createCrawler({ guard: openWithoutGuard({ ...s.standIn, resolver: createResolver([moving.address]) }) });
  await open.fetchPage(url);
  await open.fetchPage(url);
  expect(s.inside.taken()).toEqual(["tcp", "GET /"]);
});

test("a redirect in the middle of a name's move is resolved and checked again at its hop", async () => {
  // Attack: a page that redirects to its own name, which is inside by then.
  await using s = await internalAddressScene();
  await using names = await startAddressServer({ "rebind.example": [[PUBLIC_ADDRESS], ["127.0.0.1"]] });
  const crawler = createCrawler({ ...s.standIn, resolver: createResolver([names.address]) });
  const to = encodeURIComponent(`http://rebind.example:${s.inside.port}/`);
  expect(await crawler.fetchPage(`http://rebind.example/?to=${to}`)).toEqual({
    kind: "skipped",
    reason: "address_refused",
    message: "The address is not on the public internet.",
  });
  expect(s.inside.taken()).toEqual([]);
});

test("follows redirects, but no address in other response headers", async () => {
  // Attack: an address of the inside in a header that some clients follow, or take for a proxy or
  // another server.
  await using s = await internalAddressScene();
  const at = `http://127.0.0.1:${s.inside.port}/`;
  const heads: Record<string, string>[] = [
    { refresh: `0;url=${at}` },
    { link: `<${at}>; rel=preload; as=script, <${at}>; rel=canonical` },
    { "alt-svc": `h2="127.0.0.1:${s.inside.port}", http/1.1="127.0.0.1:${s.inside.port}"` },
    { "content-location": at },
    { location: at },
    { "x-forwarded-host": `127.0.0.1:${s.inside.port}`, forwarded: `host=127.0.0.1:${s.inside.port}` },
    { via: `1.1 127.0.0.1:${s.inside.port}`, "proxy-authenticate": `Basic realm="${at}"` },
    { "content-security-policy": `report-uri ${at}`, "report-to": `{"endpoints":[{"url":"${at}"}]}` },
  ];
  const statuses = [200, 201, 300, 305, 401, 407, 503];
  for (const status of statuses) {
    for (const headers of heads) {
      await using there = await startSite(
        (_request, response) => void response.writeHead(status, { ...HTML, ...headers }).end("<p>x"),
      );
      const crawler = createCrawler({ resolver: s.standIn.resolver, dialler: there.dialler });
      // The second request could have learned another address from the first.
      await crawler.fetchPage("http://site.example/");
      expect([status, headers, outcomeOf(await crawler.fetchPage("http://site.example/"))]).toEqual([
        status,
        headers,
        "page",
      ]);
    }
  }
  expect(s.inside.taken()).toEqual([]);
});

test("variables and headers that name a proxy lead nowhere", async () => {
  // Attack: an inherited variable that sends requests around the guard.
  await using s = await internalAddressScene();
  const before = { ...process.env };
  const proxy = `http://127.0.0.1:${s.inside.port}`;
  Object.assign(process.env, { http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: "1" });
  try {
    expect(outcomeOf(await createCrawler(s.standIn).fetchPage("http://site.example/"))).toBe("page");
  } finally {
    for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  expect(s.inside.taken()).toEqual([]);
});
