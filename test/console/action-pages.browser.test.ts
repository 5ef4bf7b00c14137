import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { sceneWithPartner } from "../partner/scene.ts";

test.skipIf(noChromium !== undefined)(
  "a person confirms an action, corrects its brief and sends it to the writers, in Chromium",
  async () => {
    await using s = await sceneWithPartner();
    await givePassword(s.w, s.owner.id);
    const brief = await s.newBrief();
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext();
      const page = await context.newPage();
      const faults: Record<string, string[]> = {};
      await page.goto(`${s.w.config.baseUrl}/actions`);
      await page.getByLabel("E-mail").fill(s.owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Recommended actions" }).waitFor();
      faults["actions"] = await accessibilityFaults(page);
      await page.getByRole("link", { name: "Close a gap" }).click();
      faults["action"] = await accessibilityFaults(page);
      // Fault: a box for the reason that is 62 pixels wide.
      await page.getByText("Dismiss…").click();
      expect((await page.getByLabel("Reason").boundingBox())?.width).toBeGreaterThan(200);
      await page.getByRole("button", { name: "Confirm" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Confirmed.");
      await page.getByRole("link", { name: "Open the brief of Write a page" }).click();
      await page.getByRole("heading", { name: "A page", level: 1 }).waitFor();
      const briefAddress = page.url();
      faults["brief"] = await accessibilityFaults(page);
      await page.getByLabel("Body, in Markdown").fill("# A better page\n\nWith **one** line.");
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByRole("region", { name: "Preview" }).getByText("With one line.").first().waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Saved.");
      await s.partner.fail("recipients_invalid");
      await page.getByLabel("Due").fill("2100-01-31");
      await page.getByRole("button", { name: "Send to the content tool" }).click();
      faults["refused"] = await accessibilityFaults(page);
      expect(await page.getByRole("alert").innerText()).toMatch(/recipients/i);
      expect(await page.getByLabel("Due").inputValue()).toBe("2100-01-31");
      await page.getByRole("link", { name: "Content tool" }).click();
      faults["tool"] = await accessibilityFaults(page);
      await page.goto(briefAddress);
      await s.partner.fail(null);
      await page.getByLabel("Due").fill("2100-01-31");
      // Fault: an edited, unsaved brief was sent without the edits.
      await page.getByLabel("Body, in Markdown").fill("# A better page\n\nWith two lines.");
      await page.getByRole("button", { name: "Send to the content tool" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Sent to the content tool.");
      await page.emulateMedia({ colorScheme: "dark" });
      faults["sent"] = await accessibilityFaults(page);
      expect(faults).toEqual({ actions: [], action: [], brief: [], refused: [], tool: [], sent: [] });
      expect(await page.getByRole("button", { name: "Send to the content tool" }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
    const { briefs } = await s.partner.state();
    expect(briefs).toMatchObject([
      { body: "# A better page\n\nWith two lines.", due_date: "2100-01-31T23:59:59.000Z", submitted: true },
    ]);
    expect(await brief.read()).toMatchObject({ is_user_edited: true, partner_brief_id: briefs[0]?.id });
  },
  60_000,
);
