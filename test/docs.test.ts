import { expect, test } from "vitest";
import { GROUPS } from "../tools/endpoint.ts";
import { endpoints } from "../tools/index.ts";
import { accessibilityFaults } from "./accessibility.ts";
import { noChromium, openChromium } from "./chromium.ts";
import { world } from "./world.ts";

test("the reference is served with the interface or with the pages, and no other way", async () => {
  for (const [SERVE, status] of [
    ["core", 200],
    ["web", 200],
    ["search,mcp", 404],
  ] as const) {
    await using w = await world({ env: { SERVE } });
    const answers = await Promise.all(
      ["/docs", "/docs/docs.js", "/openapi.json"].map((path) => w.request("GET", path)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  }
});

test("the page of the reference allows no script or style but its own files, and none of them can be left", async () => {
  // Attack: a script that a text of the document brings in, or a path that leads out of the served files.
  await using w = await world({ env: { SERVE: "core" } });
  const page = await w.request("GET", "/docs");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ");
  expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/localhost:)/);
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  const outside = ["/docs/package.json", "/docs/..%2Fpackage.json", "/docs/swagger-ui.js", "/docs/%2e%2e/app.ts"];
  const answers = await Promise.all(outside.map((path) => w.request("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual(outside.map(() => 404));
});

test.skipIf(noChromium !== undefined)(
  "in Chromium the reference shows every group, opens an operation, asks no other origin and reports no error",
  async () => {
    await using w = await world({ env: { SERVE: "core,search" } });
    const browser = await openChromium();
    try {
      // The viewer draws what is in view alone: so tall a window shows all of it.
      const context = await browser.newContext({ colorScheme: "dark", viewport: { width: 1200, height: 20_000 } });
      const page = await context.newPage();
      const asked = new Set<string>();
      const complaints: string[] = [];
      page.on(
        "request",
        (request) => void asked.add(request.url().split(":", 1)[0] === "data" ? "data" : new URL(request.url()).origin),
      );
      page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
      page.on("pageerror", (error) => void complaints.push(error.message));
      await page.goto(`${w.config.baseUrl}/docs`);
      const operation = page.locator("#operations-Organizations-list_organizations");
      await operation.locator("button.opblock-summary-control").click();
      await operation.getByText("next_cursor of the page before, with the same filters.").first().waitFor();
      const groups = await page
        .locator("h3.opblock-tag")
        .evaluateAll((tags) => tags.map((tag) => tag.getAttribute("data-tag")));
      expect(groups).toEqual([...new Set(endpoints.map(({ group }) => group))].toSorted(byReference));
      expect(await page.evaluate("document.documentElement.className")).toBe("dark-mode");
      await page.emulateMedia({ colorScheme: "light" });
      await page.locator("html:not(.dark-mode)").waitFor({ state: "attached" });
      // Of the viewer's own markup is its own project judged; the page around it is ours.
      expect(await accessibilityFaults(page, ".swagger-ui")).toEqual([]);
      expect([...asked].filter((origin) => origin !== "data")).toEqual([w.config.baseUrl]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  60_000,
);

function byReference(a: (typeof GROUPS)[number], b: (typeof GROUPS)[number]): number {
  return GROUPS.indexOf(a) - GROUPS.indexOf(b);
}
