import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { collectScene } from "../collecting/scene.ts";
import { MONDAY, NO_WORKER, openAnalysisPage } from "./analyses-cases.ts";

test.skipIf(noChromium !== undefined)(
  "a running collect shows progress without a page load, and input stays",
  async () => {
    await using s = await collectScene({ now: () => MONDAY, env: NO_WORKER });
    const analysis = await s.create(["phone 0", "phone 1", "phone 2", "phone 3"], { sources: ["ASSISTANT_B"] });
    await givePassword(s, s.owner.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage();
    const { at, id } = await openAnalysisPage(s, analysis);
    await page.clock.install();
    await page.goto(`${at}/${id}`);
    await page.getByLabel("E-mail").fill(s.owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("A name that I am still typing");
    const move = async (to: object) =>
      s.store.write(async ({ q, t }) => void (await q.update(t.collects).set(to).where(eq(t.collects.analysisId, id))));
    const isRead = () => page.waitForResponse((response) => response.url() === `${at}/${id}`);
    await move({ status: "running", startedAt: "2026-11-02T07:50:00.000Z", succeeded: 2 });
    await Promise.all([isRead(), page.clock.runFor(5100)]);
    await page.getByText("At this pace 10 minutes are left").waitFor();
    const progress = page.getByRole("progressbar", { name: "Run 1 is in progress" });
    expect([await progress.getAttribute("value"), await progress.getAttribute("max")]).toEqual(["2", "4"]);
    await move({ status: "completed", finishedAt: MONDAY, succeeded: 4 });
    await Promise.all([isRead(), page.clock.runFor(5100)]);
    expect(await page.getByRole("status").innerText()).toBe("The collect has ended. Show the page as it is now");
    expect(await name.inputValue()).toBe("A name that I am still typing");
  },
  30_000,
);
