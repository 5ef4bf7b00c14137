import type { Page } from "playwright-core";
import { PASSWORD } from "../support/assistant.ts";

export const OWNER = "owner@acme.test";

export async function signIn(page: Page, baseUrl: string, path: string): Promise<void> {
  await page.goto(baseUrl + path);
  await page.getByLabel("E-mail").fill(OWNER);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
}
