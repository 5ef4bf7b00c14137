import { expect, test } from "vitest";
import { importedScene } from "../actions/imported-scene.ts";
import { startAssistant } from "../collecting/provider.ts";
import { brandScene } from "../support/brand-scene.ts";
import { WITHOUT_LIMITS } from "../support/world.ts";
import { connectOwner, findFalseReasons, notesOf, TIMEOUT_MS } from "./all-reads.ts";

/** Brand analyses and audits whose runs failed, wait for answers, or found no page. */
async function emptyScene() {
  const provider = await startAssistant(() => ({ status: 400, body: {} }));
  const s = await brandScene(new Map(), { env: { ...WITHOUT_LIMITS, ...provider.env } });
  const prompts = [{ kind: "unaided", text: "Which phone is good?", country: "US" }];
  await s.analyse(prompts, { name: "Failed" });
  const make = async (path: string, setup: object) => {
    const priced = await s.owner.post(`${s.workspace.path}/${path}/price`, setup);
    const quote = { quote_id: priced.body.quote_id, confirmed: true };
    const made = await s.owner.post(`${s.workspace.path}/${path}`, quote);
    if (made.status !== 201) throw new Error(JSON.stringify([priced.body, made.body]));
    return `${s.workspace.path}/analyses/${made.body.id}`;
  };
  const website = "https://nothing.invalid/";
  const audit = { website, max_pages: 2, schedule: "once" };
  const audits = await Promise.all([
    make("geo-audits", { ...audit, name: "Unreachable pages", urls: [website, `${website}a`] }),
    make("geo-audits", { ...audit, name: "Unreachable sitemap", sitemap_url: `${website}sitemap.xml` }),
  ]);
  await Promise.all(audits.map((one) => s.ended(one)));
  return {
    ...s,
    audits,
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test(
  "gives the true reason for every empty result of failed brand analyses and audits",
  { timeout: TIMEOUT_MS },
  async () => {
    // Fault: an audit without a readable page had scores of nothing, and no note.
    await using s = await emptyScene();
    await using at = await connectOwner(s);
    const { wrong, tools } = await findFalseReasons(at);
    expect(wrong).toEqual([]);
    expect(tools).toBeGreaterThan(20);
    const audits = await Promise.all(
      s.audits.map((one) => at.client.call("get_audit", { analysis: one.split("/").at(-1) })),
    );
    expect(audits.map(notesOf).map(([note]) => note)).toEqual([
      "The audit could read none of its pages (2). list_audit_pages without filters has the reason of each.",
      "The audit found no page that it may read. remarks of get_audit have the reason.",
    ]);
  },
);

test("gives the true reason for every empty list of a new organization", { timeout: TIMEOUT_MS }, async () => {
  await using s = await importedScene(WITHOUT_LIMITS);
  await using at = await connectOwner(s);
  const { wrong, tools } = await findFalseReasons(at);
  expect(wrong).toEqual([]);
  expect(tools).toBeGreaterThan(20);
});
