import { z } from "zod";
import { toSkippedFetch, type RenderOptions, type RenderOutcome } from "../../../core/audits/crawler.ts";
import type { Guard } from "../guard.ts";
import { withTimeLimit } from "../http.ts";
import { startChromium } from "./chromium.ts";
import type { Devtools } from "./devtools.ts";
import { openGuardingProxy, type ProxyLimits } from "./guarding-proxy.ts";

export interface RenderLimits extends ProxyLimits {
  totalMs: number;
  /** Max wait for a page to become idle; then its current content counts. */
  settleMs: number;
  maxCharacters: number;
}

export interface RenderDeps {
  guard: Guard;
  chromiumPath: string;
  userAgent: string;
  limits: RenderLimits;
}

const AttachedTargetSchema = z.object({ sessionId: z.string() });
const CreatedTargetSchema = z.object({ targetId: z.string() });
const NavigationSchema = z.object({ frameId: z.string(), errorText: z.string().optional() });
const LifecycleEventSchema = z.object({ frameId: z.string(), name: z.string() });
const IsolatedWorldSchema = z.object({ executionContextId: z.number() });
const PageSnapshotSchema = z.object({ result: z.object({ value: z.tuple([z.string(), z.string(), z.boolean()]) }) });

export async function renderPage(address: string, options: RenderOptions, deps: RenderDeps): Promise<RenderOutcome> {
  if (!URL.canParse(address)) return toSkippedFetch("address_invalid");
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return toSkippedFetch("scheme_refused");
  const proxy = await openGuardingProxy(deps.guard, deps.limits);
  try {
    return await renderInChromium(url, proxy.port, options, deps);
  } catch (error) {
    options.signal?.throwIfAborted();
    return toSkippedFetch(error instanceof Error && error.name === "TimeoutError" ? "timeout" : "browser_failed");
  } finally {
    await proxy.close();
  }
}

async function renderInChromium(url: URL, proxyPort: number, options: RenderOptions, deps: RenderDeps) {
  const { userAgent = deps.userAgent, signal } = options;
  const { limits } = deps;
  const chromium = await startChromium(deps.chromiumPath, { proxyPort, userAgent });
  try {
    return await withTimeLimit(limits.totalMs, signal, () => renderTarget(chromium.devtools, url, limits));
  } finally {
    await chromium.close();
  }
}

async function renderTarget(devtools: Devtools, url: URL, limits: RenderLimits): Promise<RenderOutcome> {
  await devtools.send("Browser.setDownloadBehavior", { behavior: "deny" });
  const { targetId } = CreatedTargetSchema.parse(await devtools.send("Target.createTarget", { url: "about:blank" }));
  const { sessionId } = AttachedTargetSchema.parse(
    await devtools.send("Target.attachToTarget", { targetId, flatten: true }),
  );
  const send = (method: string, params: Record<string, unknown> = {}) => devtools.send(method, params, sessionId);
  const settled = waitUntilIdle(devtools, send, targetId);
  await send("Page.enable");
  await send("Page.setLifecycleEventsEnabled", { enabled: true });
  const { errorText } = NavigationSchema.parse(await send("Page.navigate", { url: url.href }));
  if (errorText !== undefined) return toSkippedFetch("connection_failed");
  await withTimeLimit(limits.settleMs, undefined, () => settled).catch(() => undefined);

  // An isolated world protects against functions that page scripts replaced.
  const world = IsolatedWorldSchema.parse(await send("Page.createIsolatedWorld", { frameId: targetId }));
  const taken = await send("Runtime.evaluate", {
    contextId: world.executionContextId,
    returnByValue: true,
    expression: `(() => {
      const html = document.documentElement.outerHTML;
      return [html.slice(0, ${limits.maxCharacters}), location.href, html.length > ${limits.maxCharacters}];
    })()`,
  });
  const [html, finalUrl, isTooLarge] = PageSnapshotSchema.parse(taken).result.value;
  // The browser shows its own error page: the target is unreachable or rejected.
  if (!/^https?:/.test(finalUrl)) return toSkippedFetch("connection_failed");
  return isTooLarge ? toSkippedFetch("page_too_large") : { kind: "rendered", html, finalUrl };
}

/** Closes dialogs meanwhile. */
function waitUntilIdle(
  devtools: Devtools,
  send: (method: string, params: Record<string, unknown>) => Promise<unknown>,
  frameId: string,
): Promise<void> {
  return new Promise((resolve) => {
    let isNavigated = false;
    devtools.onEvent((method, params) => {
      if (method === "Page.javascriptDialogOpening")
        send("Page.handleJavaScriptDialog", { accept: false }).catch(() => undefined);
      const event = method === "Page.lifecycleEvent" ? LifecycleEventSchema.safeParse(params).data : undefined;
      if (event?.frameId !== frameId) return;
      // Ignores events of the initial blank page.
      if (event.name === "init") isNavigated = true;
      if (event.name === "networkIdle" && isNavigated) resolve();
    });
  });
}
