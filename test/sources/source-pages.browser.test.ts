import { expect, test } from "vitest";
import { accessibilityFaults, nextColourSchemes } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { sourceScene } from "./source-scene.ts";

const simulated = (name: string) => [name, "Simulated", "0"];

test.skipIf(noChromium !== undefined)(
  "shows an owner the failing source and its remedy in Chromium, at any width, light and dark",
  async () => {
    await using s = await sourceScene();
    await s.ended(await s.create(["phones"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] }));
    await givePassword(s, s.owner.id);
    const chromium = await openChromium();
    const faults: Record<string, string[]> = {};
    try {
      const page = await (await chromium.newContext()).newPage();
      await page.goto(`${s.config.baseUrl}/organizations/${s.organization.id}`);
      await page.getByLabel("E-mail").fill(s.owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Source providers" }).click();
      await page.getByRole("heading", { name: "What to do" }).waitFor();
      const toDo = page.getByRole("region", { name: "What to do" }).getByRole("listitem");
      expect(await toDo.allInnerTexts()).toEqual([
        "Perplexity: The provider rejected the configured key (HTTP 401). Correct PERPLEXITY_API_KEY.",
      ]);
      const states = await page
        .getByRole("row")
        .evaluateAll((rows) =>
          rows
            .slice(1)
            .map((row) =>
              [...row.querySelectorAll("th, .badge, .number")].map((cell) =>
                cell.textContent.replaceAll(/\s+/g, " ").trim(),
              ),
            ),
        );
      expect(states).toEqual([
        simulated("Bing SEARCH_A"),
        simulated("Bing AI answers SEARCH_A_AIO"),
        ["ChatGPT ASSISTANT_A", "Answers", "2.00 1 answer"],
        ["Perplexity ASSISTANT_B", "Failing", "0"],
        simulated("Google SEARCH_B"),
        simulated("Google AI Overviews SEARCH_B_AIO"),
        simulated("Google AI Mode SEARCH_B_AI_MODE"),
        ["Claude ASSISTANT_C", "Not asked yet", "0"],
        simulated("Gemini ASSISTANT_D"),
        simulated("Amazon's assistant MARKETPLACE_ASSISTANT"),
      ]);
      for (const width of [1280, 390]) {
        for (const colorScheme of nextColourSchemes()) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const name = `sources-${width}-${colorScheme}`;
          faults[name] = await accessibilityFaults(page);
          const isWide = await page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth",
          );
          if (isWide === true) faults[name].push("the page scrolls sideways");
          const shots = process.env["SHOTS"];
          if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
        }
      }
    } finally {
      await chromium.close();
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  },
  60_000,
);
