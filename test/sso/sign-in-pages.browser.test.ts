import { afterAll, beforeAll, expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { createOAuthClient, REDIRECT } from "../support/assistant.ts";
import { noChromium, openAccountMenu, openChromium } from "../support/chromium.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { startProvider, type ProviderProcess } from "./provider-process.ts";
import { providerScene } from "./provider-scene.ts";

let provider: ProviderProcess;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

const scene = (settings?: Record<string, unknown>) => providerScene(provider, settings);

test.skipIf(noChromium !== undefined)(
  "signs a person in through the provider in Chromium, for the console and for an assistant",
  async () => {
    await using s = await scene({ is_required: true, group_roles: [{ group: "Analysts", role: "editor" }] });
    await using browser = await openChromium();
    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      // The provider is somebody else's site.
      if (message.location().url.startsWith(s.w.config.baseUrl)) complaints.push(message.text());
    });
    await page.goto(s.page("/sign-in?next=/organizations"));
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("E-mail").fill("ann@acme.test");
    await page.getByRole("button", { name: "Sign in with your organization" }).click();
    await page.getByRole("button", { name: "Be that" }).click();
    await page.getByRole("heading", { name: "Organizations" }).waitFor();
    expect(page.url()).toBe(s.page("/organizations"));
    await page.getByRole("link", { name: "Acme", exact: true }).waitFor();
    await openAccountMenu(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();

    const a = await createOAuthClient(s.w);
    await page.goto(a.authorizeUrl());
    await page.getByLabel("E-mail").fill("ann@acme.test");
    await page.getByRole("button", { name: "Sign in with your organization" }).click();
    await page.getByRole("heading", { name: "Connect Probe?" }).waitFor();
    const arrival = page.waitForRequest((request) => request.url().startsWith(REDIRECT));
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    const code = new URL((await arrival).url()).searchParams.get("code") ?? "";
    const { body } = await a.redeem(code);
    await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token: body.access_token });
    // The organization requires its provider, so the grant must record that the person used it.
    const call = { organization_id: s.organization.id, workspace_id: s.workspace.id };
    expect(await client?.call("get_workspace", call)).toMatchObject({ isError: false });
    expect(complaints).toEqual([]);
  },
  60_000,
);
