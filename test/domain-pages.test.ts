import { expect, test } from "vitest";
import { accessibilityFaults } from "./accessibility.ts";
import { PASSWORD, sceneWithPassword } from "./assistant.ts";
import { noChromium, openChromium } from "./chromium.ts";
import { nameServer } from "./name-server.ts";
import { world } from "./world.ts";

test.skipIf(noChromium !== undefined)(
  "an owner adds a domain, publishes its record and verifies it in the browser, without scripts",
  async () => {
    await using dns = await nameServer({});
    await using w = await world({ env: { DNS_SERVERS: dns.address } });
    const { organization } = await sceneWithPassword(w);
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${w.config.baseUrl}/organizations/${organization.id}/domains`);
      await page.getByLabel("E-mail").fill("owner@acme.test");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByLabel("Domain").fill("co.uk");
      await page.getByRole("button", { name: "Add domain" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("public suffix");
      await page.getByLabel("Domain").fill("acme.test");
      await page.getByRole("button", { name: "Add domain" }).click();
      await page.getByRole("button", { name: "Verify acme.test" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("not in the DNS yet");
      const [name, value] = await page.locator(".item code").allInnerTexts();
      dns.records[name ?? ""] = [[value ?? ""]];
      await page.getByRole("button", { name: "Verify acme.test" }).click();
      expect(await page.getByRole("status").innerText()).toContain("Verified.");
      expect(await page.locator(".badge").allInnerTexts()).toEqual(["Verified"]);
      await page.getByRole("button", { name: "Remove acme.test" }).click();
      expect(await page.getByText("No domains yet. Add the domain of your work e-mail addresses.").count()).toBe(1);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "axe finds nothing on the page of domains, verified and not",
  async () => {
    await using dns = await nameServer({});
    await using w = await world({ env: { DNS_SERVERS: dns.address } });
    const { organization, owner } = await sceneWithPassword(w);
    for (const domain of ["acme.test", "acme-mail.test"]) {
      const { body } = await owner.post(`${organization.path}/domains`, { domain });
      if (domain === "acme.test") dns.records[domain] = [[body.record_value]];
      await owner.post(`${organization.path}/domains/${body.id}/verify`);
    }
    const chromium = await openChromium();
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await (await chromium.newContext({ colorScheme })).newPage();
        await page.goto(`${w.config.baseUrl}/organizations/${organization.id}/domains`);
        await page.getByLabel("E-mail").fill("owner@acme.test");
        await page.getByLabel("Password").fill(PASSWORD);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Domains" }).waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
      }
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
