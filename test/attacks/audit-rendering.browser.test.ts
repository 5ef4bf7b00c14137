import { describe, expect, test } from "vitest";
import type { CrawlerStandIn } from "../../src/outside/crawler/open-crawler.ts";
import { createResolver } from "../../src/outside/name-servers.ts";
import { startAddressServer, createCrawler, PUBLIC_ADDRESS } from "../audits/crawler-scene.ts";
import { INTERNAL_NAMES, listInternalAddresses } from "../audits/internal-addresses.ts";
import { internalAddressScene, openWithoutGuard } from "../audits/internal-address-scene.ts";
import { CHROMIUM_PATH, noChromium, openChromium } from "../support/chromium.ts";
import { chooseExtent } from "../support/proof.ts";

/** A page that requests each address form in each way, with its name in the path. */
function askingPage(forms: readonly string[], redirects: readonly string[], port: number): string {
  const at = `127.0.0.1:${port}`;
  return `<!doctype html><title>asks</title><link rel=preconnect href="http://${at}"><link rel=dns-prefetch href="//${at}">
<link rel=stylesheet href="http://${at}/style"><script src="http://${at}/script"></script>
<object data="http://${at}/object"></object><video src="http://${at}/video"></video>
<iframe src="http://${at}/iframe"></iframe><iframe src="/?to=http://${at}/redirect"></iframe>
<iframe srcdoc="<meta http-equiv=refresh content='0;url=http://${at}/refresh'>"></iframe>
<iframe name=posted></iframe><form target=posted method=post action="http://${at}/form"></form>
<p style="background:url(http://${at}/background)">x</p><p id=done></p>
<script>
const quietly = (work) => { try { return Promise.resolve(work()).catch(() => {}); } catch { return Promise.resolve(); } };
document.forms[0].submit();
const forms = ${JSON.stringify(forms).replaceAll("<", "\\u003c")};
const redirects = ${JSON.stringify(redirects).replaceAll("<", "\\u003c")}.map((url) => "/?to=" + encodeURIComponent(url));
const all = [...forms, ...redirects].map((url) => quietly(() => fetch(url, { mode: "no-cors" })));
for (const url of forms) { new Image().src = url; }
quietly(() => new WebSocket("ws://${at}/socket"));
quietly(() => new EventSource("http://${at}/events"));
quietly(() => navigator.sendBeacon("http://${at}/beacon", "x"));
quietly(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://${at}/worker',{mode:'no-cors'})"]))));
quietly(() => fetch("/slow"));
Promise.all(all).then(() => setTimeout(() => { done.textContent = "asked " + forms.length; }, 1000));
</script>`;
}

describe.skipIf(noChromium !== undefined)("a page that is rendered", { timeout: 90_000 }, () => {
  const render = { totalMs: 25_000, settleMs: 20_000, maxCharacters: 1e6, maxBytes: 50e6, maxRequests: 2000 };

  test("reaches nothing inside, whatever a page requests; with a proxy without the guard it does", async () => {
    // Attack: a page whose scripts, frames, sockets and redirects request addresses of the
    // rendering machine.
    await using s = await internalAddressScene();
    const forms = listInternalAddresses(s.inside.port).flatMap(({ url }) => (/^\s*http/i.test(url) ? [url] : []));
    const redirects = forms.filter((_url, at) => at % chooseExtent(1, 8) === 0);
    s.pages["/"] = askingPage(forms, redirects, s.inside.port);
    const standIn = { ...s.standIn, limits: { render } };
    const outcome = await createCrawler(standIn, CHROMIUM_PATH).renderPage?.("http://site.example/");
    expect(outcome).toMatchObject({ kind: "rendered", finalUrl: "http://site.example/" });
    expect(outcome?.kind === "rendered" ? /id="done">(asked \d+)/.exec(outcome.html)?.[1] : "").toMatch(/^asked \d\d/);
    expect(s.inside.taken()).toEqual([]);

    await createCrawler({ guard: openWithoutGuard(s.standIn), limits: { render } }, CHROMIUM_PATH).renderPage?.(
      "http://site.example/",
    );
    const came = new Set(s.inside.taken());
    const ways = [
      "style",
      "script",
      "object",
      "video",
      "iframe",
      "redirect",
      "refresh",
      "background",
      "events",
      "worker",
    ];
    const expected = [...ways.map((way) => `GET /${way}`), "GET /", "POST /beacon", "POST /form", "upgrade /socket"];
    expect(expected.filter((way) => !came.has(way))).toEqual([]);
    // Nothing bypasses the proxy.
    expect([...came].filter((way) => way.startsWith("udp"))).toEqual([]);
  });

  test("reaches nothing inside by a name that a real name server rebinds meanwhile", async () => {
    // Attack: DNS rebinding by a script, which asks its own host again once the name leads inside.
    await using s = await internalAddressScene();
    const moved = `http://rebind.example:${s.inside.port}`;
    s.pages["/"] = `<p id=done></p><script>
      const ask = (path) => fetch("${moved}" + path, { mode: "no-cors" }).then(() => "came", () => "failed");
      (async () => { done.textContent = [await ask("/first"), await ask("/second")].join(); })();
    </script>`;
    const rendered = async (guardOf: (standIn: typeof s.standIn) => CrawlerStandIn) => {
      await using names = await startAddressServer({
        ...INTERNAL_NAMES,
        "rebind.example": [[PUBLIC_ADDRESS], ["127.0.0.1"]],
      });
      const standIn = guardOf({ ...s.standIn, resolver: createResolver([names.address]) });
      const crawler = createCrawler({ ...standIn, limits: { render } }, CHROMIUM_PATH);
      const outcome = await crawler.renderPage?.("http://site.example/");
      const done = outcome?.kind === "rendered" ? /id="done">(.*?)</.exec(outcome.html)?.[1] : outcome;
      return { done, inside: s.inside.taken().filter((way) => way !== "tcp") };
    };
    expect(await rendered((standIn) => standIn)).toEqual({ done: "came,failed", inside: [] });
    const open = await rendered((standIn) => ({ guard: openWithoutGuard(standIn) }));
    expect(open).toEqual({ done: "came,came", inside: ["GET /second"] });
  });

  test("sends nothing over UDP with or without the guard, unlike another Chromium", async () => {
    // Attack: WebRTC and WebTransport, which ask servers that a page names without the proxy.
    await using s = await internalAddressScene();
    const stun = `127.0.0.1:${s.inside.port}`;
    s.pages["/udp"] = `<p id=done>nothing</p><script>
      fetch("/slow");
      new WebTransport("https://${stun}/").ready.catch(() => {});
      (async () => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:${stun}" }] });
        const found = [];
        peer.onicecandidate = ({ candidate }) => { found.push(candidate?.type ?? "end"); done.textContent = found.join(); };
        peer.createDataChannel("x");
        await peer.setLocalDescription(await peer.createOffer());
      })();
    </script>`;
    // On localhost, where pages may use WebTransport without a certificate.
    const url = `http://localhost:${s.port}/udp`;
    const open = createCrawler({ guard: openWithoutGuard(s.standIn), limits: { render } }, CHROMIUM_PATH);
    const outcome = await open.renderPage?.(url);
    expect(outcome?.kind === "rendered" ? /id="done">(.*?)</.exec(outcome.html)?.[1] : outcome).toBe("end");
    expect(s.inside.taken()).toEqual([]);

    await using browser = await openChromium();
    const page = await browser.newPage();
    await page.goto(url);
    const sizes = new Set<string>();
    // 20 bytes are a question to a STUN server (RFC 8489 section 5), 1,250 the beginning of QUIC.
    await expect
      .poll(() => [...s.inside.taken().reduce((all, way) => all.add(way), sizes)].toSorted(), { timeout: 8000 })
      .toEqual(["udp 1250", "udp 20"]);
  });

  test("is not rendered if its own address is internal or redirects to an internal one", async () => {
    // Attack: reading an interface that is open only to this machine.
    await using s = await internalAddressScene();
    const crawler = createCrawler({ ...s.standIn, limits: { render } }, CHROMIUM_PATH);
    const at = `http://127.0.0.1:${s.inside.port}/`;
    s.pages["/moves"] = `<script>location = ${JSON.stringify(at)}</script>`;
    const kinds: unknown[] = [];
    for (const url of [
      at,
      `http://v4.inside.example:${s.inside.port}/`,
      `http://site.example/?to=${at}`,
      "file:///etc/passwd",
    ])
      kinds.push((await crawler.renderPage?.(url))?.kind);
    expect(kinds).toEqual(["skipped", "skipped", "skipped", "skipped"]);
    expect(await crawler.renderPage?.("http://site.example/moves")).toMatchObject({ kind: "skipped" });
    expect(s.inside.taken()).toEqual([]);
  });

  test("is skipped with the reason if it never ends, is too large, or the browser does not start", async () => {
    // Attack: a page that occupies the browser, or inflates the stored HTML.
    await using s = await internalAddressScene();
    s.pages["/loop"] = "<p>x<script>for (;;);</script>";
    s.pages["/swells"] = `<p id=p>x<script>p.textContent = "x".repeat(3e6)</script>`;
    s.pages["/noisy"] =
      `<p>x<script>for (let i = 0; i < 50; i++) fetch("/?" + i); for (const ask of [alert, confirm, prompt]) ask(1);</script>`;
    // Only the page that never ends is to reach its limit, on a machine of any speed.
    const limited = { ...render, totalMs: 20_000, settleMs: 2000 };
    const rendering = async (path: string, limits = limited, at = CHROMIUM_PATH) => {
      const outcome = await createCrawler({ ...s.standIn, limits: { render: limits } }, at).renderPage?.(
        `http://site.example${path}`,
      );
      return outcome?.kind === "skipped" ? outcome.reason : outcome?.kind;
    };
    expect([
      await rendering("/loop", { ...limited, totalMs: 3000 }),
      await rendering("/swells"),
      await rendering("/", { ...limited, maxBytes: 10 }),
      await rendering("/noisy", { ...limited, maxRequests: 5 }),
      await rendering("/", limited, "/nowhere/chromium"),
    ]).toEqual(["timeout", "page_too_large", "connection_failed", "rendered", "browser_failed"]);
  });
});
