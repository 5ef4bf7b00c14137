import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { accessibilityFaults, nextColourSchemes } from "../support/accessibility.ts";
import { PASSWORD, sceneWithPassword } from "../support/assistant.ts";
import { noChromium, openChromium, confirmAction } from "../support/chromium.ts";
import { startNameServer } from "./name-server.ts";
import { world } from "../support/world.ts";

test.skipIf(noChromium !== undefined)(
  "an owner adds a domain, publishes its record and verifies it in the browser, without scripts",
  async () => {
    await using dns = await startNameServer({});
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
      const told = await page.getByRole("alert").innerText();
      // Fault: words of the API on a page ("Publish record_value at record_name").
      expect([told.includes("not in the DNS yet"), /\w_\w/.test(told)]).toEqual([true, false]);
      const [name, value] = await page.locator(".item code").allInnerTexts();
      dns.records[name ?? ""] = [[value ?? ""]];
      await page.getByRole("button", { name: "Verify acme.test" }).click();
      expect(await page.getByRole("status").innerText()).toContain("Verified.");
      expect(await page.locator(".badge").allInnerTexts()).toEqual(["Verified"]);
      await confirmAction(page, "Remove acme.test");
      expect(await page.getByText("No domains yet. Add the domain of your work e-mail addresses.").count()).toBe(1);
    } finally {
      await chromium.close();
    }
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "two pages warn owners of a missing record with the deadline, and axe finds nothing there",
  async () => {
    await using dns = await startNameServer({});
    await using w = await world({ env: { DNS_SERVERS: dns.address } });
    const { organization, owner } = await sceneWithPassword(w);
    const days = { "acme.test": null, "acme-lapsed.test": -8, "acme-missing.test": -1, "acme-new.test": null };
    for (const [domain, warned] of Object.entries(days)) {
      const { body } = await owner.post(`${organization.path}/domains`, { domain });
      if (domain !== "acme-new.test") dns.records[domain] = [[body.record_value]];
      await owner.post(`${organization.path}/domains/${body.id}/verify`);
      if (warned === null) continue;
      const warnedAt = addMs(w.deps.now(), warned * 86_400_000);
      await w.store.write(async ({ q, t }) => {
        await q.update(t.organizationDomains).set({ warnedAt }).where(eq(t.organizationDomains.domain, domain));
      });
    }
    const chromium = await openChromium();
    try {
      for (const colorScheme of nextColourSchemes()) {
        const page = await (await chromium.newContext({ colorScheme })).newPage();
        const look = async (name: string) => {
          expect(await accessibilityFaults(page)).toEqual([]);
          const shots = process.env["SHOTS"];
          if (shots !== undefined)
            await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
        };
        await page.goto(`${w.config.baseUrl}/organizations/${organization.id}/domains`);
        await page.getByLabel("E-mail").fill("owner@acme.test");
        await page.getByLabel("Password").fill(PASSWORD);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Domains" }).waitFor();
        await look("domains");
        const badges = ["Lapsed", "Record missing", "Not verified", "Verified"];
        expect(await page.locator(".badge").allInnerTexts()).toEqual(badges);
        const warnings = await page.locator(".caution").allInnerTexts();
        expect(warnings).toMatchObject(
          [
            /^The DNS record of acme-lapsed\.test has been missing since/,
            /^The DNS record of acme-missing\.test was missing on three days\. Publish it again before \d/,
          ].map((text) => expect.stringMatching(text) as unknown),
        );
        for (const summary of await page.locator("summary").all()) await summary.click();
        await look("domain-accounts");
        await page.getByRole("link", { name: "General" }).click();
        await page.getByRole("heading", { name: "Quotas" }).waitFor();
        expect(await page.locator(".caution").allInnerTexts()).toEqual(warnings.toReversed());
        await look("general");
        await page.getByRole("link", { name: "See the domains" }).click();
        if (colorScheme === "light") continue;
        await page.getByRole("button", { name: "Look up now acme-lapsed.test" }).click();
        expect(await page.getByRole("status").innerText()).toContain("Verified.");
        expect(await page.locator(".badge").allInnerTexts()).toEqual(["Verified", ...badges.slice(1)]);
      }
    } finally {
      await chromium.close();
    }
  },
  60_000,
);
