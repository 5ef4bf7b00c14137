import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { collectScene } from "../collecting/scene.ts";
import { waitForExport } from "../exports/read-export.ts";
import { readBodyRows } from "./demo-console.ts";

test("a viewer creates an export, downloads it by link, and deletes it", async () => {
  await using s = await collectScene();
  const { organization, workspace } = s;
  const reader = await s.signIn("reader@acme.test", { organizationId: organization.id, role: "viewer" });
  const browser = await signedInBrowser(s, reader.email);
  const address = `${s.config.baseUrl}/exports/${organization.id}/${workspace.id}`;
  const fields = { what: "catalog", format: "csv", analysis: "", source: "" };
  const made = await browser.post(`${address}/create`, new URLSearchParams(fields));
  expect([made.status, made.text.includes("Export started.")]).toEqual([200, true]);
  const [{ id }] = (await reader.get(`${workspace.path}/exports`)).body.data;
  await waitForExport(reader, workspace.path, id);
  const [row = ""] = readBodyRows((await browser.get(address)).text);
  const [, link = ""] = /href="([^"]*\/files\/[^"]*)"/.exec(row) ?? [];
  expect([row.includes("Brand catalog and its changes"), (await fetch(link)).status]).toEqual([true, 200]);
  const deleted = await browser.post(`${address}/delete`, new URLSearchParams({ export_id: id }));
  expect([deleted.text.includes("Deleted."), readBodyRows(deleted.text)]).toEqual([true, []]);
  expect((await fetch(link)).status).toBe(404);
});

test("only the maker of an export and editors can delete it on the page", async () => {
  await using s = await collectScene();
  const { organization, workspace } = s;
  const person = (email: string) => s.signIn(email, { organizationId: organization.id, role: "viewer" });
  const [maker, other] = [await person("maker@acme.test"), await person("other@acme.test")];
  const { body } = await maker.request("POST", `${workspace.path}/exports`, {
    body: { what: "catalog", format: "csv" },
    headers: { prefer: "respond-async" },
  });
  const address = `${s.config.baseUrl}/exports/${organization.id}/${workspace.id}`;
  const offered = async (email: string) =>
    (await (await signedInBrowser(s, email)).get(address)).text.includes('name="export_id"');
  expect(body.created_by).toBe(maker.id);
  expect([await offered(maker.email), await offered(other.email), await offered(s.owner.email)]).toEqual([
    true,
    false,
    true,
  ]);
});

test("a rejected form keeps the selection and states why", async () => {
  await using s = await collectScene();
  const browser = await signedInBrowser(s, s.owner.email);
  const address = `${s.config.baseUrl}/exports/${s.organization.id}/${s.workspace.id}`;
  const fields = { what: "catalog", format: "jsonl", analysis: "", source: "SEARCH_A" };
  const { status, text } = await browser.post(`${address}/create`, new URLSearchParams(fields));
  expect(status).toBe(400);
  expect(text).toContain("does not apply to exports of catalog");
  const chosen = [...text.matchAll(/<option value="([^"]*)"\s+selected/g)].map(([, value]) => value);
  expect(chosen).toEqual(["catalog", "jsonl", "", "SEARCH_A"]);
});
