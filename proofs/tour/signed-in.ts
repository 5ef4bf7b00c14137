import type { Page } from "playwright-core";
import { givePassword, PASSWORD } from "../../test/support/assistant.ts";
import type { openChromium } from "../../test/support/chromium.ts";

export const WIDTHS = { screen: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** A page in a separate browser context with this person signed in. */
export async function openSignedInPage(
  { newPage }: Awaited<ReturnType<typeof openChromium>>,
  w: Parameters<typeof givePassword>[0],
  { id, email }: { id: string; email: string },
): Promise<Page> {
  await givePassword(w, id);
  const page = await newPage({ deviceScaleFactor: 1 });
  await page.goto(w.config.baseUrl);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}
