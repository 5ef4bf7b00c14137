import { expect, test } from "vitest";
import { buildSampleLines } from "../../src/console/analyses/import-page.ts";
import { ImportLine, parseJsonLines } from "../../core/reading/import-line.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { collectScene } from "../collecting/scene.ts";
import { readMetricValues, readBodyRows, findSection } from "./demo-console.ts";

const line = (run: number) => JSON.stringify({ keyword: "phone 1", source: "ASSISTANT_A", text: "Acme is good.", run });

/** A line of almost a megabyte. */
const filler = (run: number) =>
  JSON.stringify({ keyword: "phone 2", source: "ASSISTANT_B", run, text: `Rival. ${"x".repeat(900_000)}` });

/** An analysis without sources, and its import page. */
async function scene() {
  const s = await collectScene();
  const analysis = await s.create(["phone 1"], { sources: [] });
  const [, organizationId, workspaceId, analysisId] =
    /organizations\/([^/]*)\/workspaces\/([^/]*)\/analyses\/([^/]*)/.exec(analysis) ?? [];
  const at = `${s.config.baseUrl}/analyses/${organizationId}/${workspaceId}/${analysisId}`;
  const browser = await signedInBrowser(s, s.owner.email);
  /** Sends the form of the page as Chromium does. */
  const send = async (fields: FormData, by = browser) => {
    const url = new URL(`${at}/import${fields.has("pasted") ? "/pasted" : ""}`);
    const headers = { cookie: by.cookieHeader(url), origin: url.origin, "sec-fetch-site": "same-origin" };
    const response = await fetch(url, { method: "POST", body: fields, headers, redirect: "manual" });
    return { status: response.status, to: response.headers.get("location") ?? "", text: await response.text() };
  };
  return { ...s, analysis, at, browser, send };
}

const file = (text: string) => {
  const fields = new FormData();
  fields.append("lines", new Blob([text]), "answers.jsonl");
  return fields;
};

test("imports a file of many megabytes as it arrives, and reports its lines", async () => {
  await using s = await scene();
  expect((await s.browser.get(s.at)).text).toContain(`href="${new URL(s.at).pathname}/import"`);
  const sent = await s.send(file([line(1), "{broken", filler(1), filler(2), line(2), line(2)].join("\n")));
  expect(sent.status).toBe(303);
  await s.ended(s.analysis);
  const page = await s.browser.get(new URL(sent.to, s.at));
  const report = findSection(page.text, "report");
  expect(readMetricValues(report)).toEqual([4, 2]);
  expect(readBodyRows(report).map((row) => shownText(row).split(" ")[0])).toEqual(["2", "6"]);
  const { body } = await s.owner.get(`${s.analysis}/answers?collect_id=all`);
  expect(body.total_count).toBe(4);
});

test("imports pasted lines; without a valid line nothing changes, and the page says so", async () => {
  await using s = await scene();
  const fields = new FormData();
  fields.append("pasted", `${line(1)}\r\n${line(2)}`);
  const sent = await s.send(fields);
  await s.ended(s.analysis);
  expect(readMetricValues(findSection((await s.browser.get(new URL(sent.to, s.at))).text, "report"))).toEqual([2, 0]);
  const empty = await s.send(file(""));
  expect([empty.status, shownText(empty.text).includes("The body has no lines.")]).toEqual([400, true]);
  const wrong = await s.send(file("{broken"));
  await s.ended(s.analysis, 2);
  const failed = findSection((await s.browser.get(new URL(wrong.to, s.at))).text, "report");
  expect(shownText(failed)).toContain("No line was accepted, so no figure changed.");
});

test("the sample file can be imported", async () => {
  await using s = await scene();
  const { text } = await s.browser.get(`${s.at}/import/sample.jsonl`);
  expect(text).toBe(buildSampleLines());
  const { lines, rejectedLines } = parseJsonLines(text, ImportLine);
  expect([lines.length, rejectedLines]).toEqual([2, []]);
});

test("attack: viewers, strangers and other sites cannot import", async () => {
  await using s = await scene();
  const viewer = await s.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const reading = await signedInBrowser(s, viewer.email);
  expect((await reading.get(`${s.at}/import`)).text).not.toContain("multipart/form-data");
  expect((await s.send(file(line(1)), reading)).status).toBe(403);
  const mallory = await signedInBrowser(s, (await s.signIn("mallory@rival.test")).email);
  expect((await s.send(file(line(1)), mallory)).status).toBe(404);
  const url = new URL(`${s.at}/import`);
  const foreign = { cookie: s.browser.cookieHeader(url), origin: "https://evil.example" };
  expect((await fetch(url, { method: "POST", body: file(line(1)), headers: foreign })).status).toBe(403);
  const signedOut = await fetch(url, {
    method: "POST",
    body: file(line(1)),
    headers: { origin: url.origin },
    redirect: "manual",
  });
  expect([signedOut.status, signedOut.headers.get("location")]).toEqual([
    303,
    expect.stringContaining("/sign-in?next="),
  ]);
  expect((await s.owner.get(`${s.analysis}/collects`)).body.data).toEqual([]);
});
