import { eq, sql } from "drizzle-orm";
import { givePassword, signedInBrowser } from "../support/assistant.ts";
import { ACTION_SETUP, insertActionScene } from "../support/action-scene.ts";
import { insertAudit } from "../audits/audit-scene.ts";
import { brandScene } from "../support/brand-scene.ts";
import { responseBody } from "../collecting/provider.ts";
import { uuid } from "../metrics/search-metrics-scene.ts";
import { insertScene } from "../support/search-scene.ts";
import { WITHOUT_LIMITS } from "../support/world.ts";

/** Hostile or careless names and answers. */
export const NAMES = [
  '<script>alert("own")</script>',
  '=HYPERLINK("https://evil.example","x")',
  "</main><img src=x onerror=alert(1)>",
  `Long ${"name ".repeat(2000)}`,
  "\u202Egnp.evil\u202C",
  "שלום, world",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "W".repeat(10_000),
  '" onmouseover="alert(1)" style="display:none',
] as const;

/** A name of them all, and a number where there are more. */
export function hostileName(at: number): string {
  const name = NAMES[at % NAMES.length] ?? "";
  return at < NAMES.length ? name : `${name} ${at}`;
}

const MARKUP = NAMES[2];
const FORMULA = NAMES[1];

/** Answers about Acme: markup, formulas, right-to-left text, and an endless one. */
const HOSTILE_ANSWERS = [
  `This is what owners of it say for the most part.\n\n## Acme\n\n**Pros:**\n- ${FORMULA}\n- ${MARKUP} battery\n- \u202Egood price\u202C\n\n**Cons:**\n- @SUM(1+1) fan\n- ${"loud ".repeat(2000)}fan\n`,
  `=1+1 the price of Acme is great for what it is. ${MARKUP} Acme is cheaper than Rival, and the price is low for most people.`,
  `Acme is a well-known phone brand ${NAMES[0]} \u202Ethat people buy\u202C. For most of them I would go with the Acme, as its price is excellent.`,
  `For most people I would choose Acme over Rival, because its <img src=x onerror=alert(1)> price is good and the screen is bright.`,
];

/** An answer with its citations and a search, as the assistant sends it. */
function citing(text: string): object {
  const urls = ["https://acme.test/=1+1", "https://evil.example/%22%3E%3Cimg%20src=x%3E", "javascript:alert(1)"];
  const cited = urls.map((url, at) => {
    const place = { start_index: 0, end_index: 1 };
    return { type: "url_citation", url, title: hostileName(at), ...place };
  });
  const body = responseBody(text, cited);
  const search = {
    id: "ws_2",
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: FORMULA },
  };
  return { ...body, output: [search, ...body.output] };
}

/**
 * A workspace in which every text that people or models write is hostile: brands, topics, prompts,
 * personas, attributes, answers, pages of an audit, an action and its brief.
 */
export async function hostileConsole() {
  const texts = new Map<string, string>();
  const s = await brandScene(texts, { env: WITHOUT_LIMITS, bodyOf: citing });
  const { organization, workspace, owner } = s;
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const opinions = await analyseOpinions(s, texts);
  const search = await insertSearches(s, ids);
  const made = await insertActionScene(s, ids, {
    action: {
      triggerText: MARKUP,
      actionLabel: hostileName(3),
      description: hostileName(0),
      reasoning: hostileName(4),
    },
    brief: { title: hostileName(7), body: `# ${MARKUP}\n\n${NAMES[0]}\n\n[open](javascript:alert(1)) ${NAMES[4]}\n` },
  });
  const audit = await s.store.write((db) => insertAudit(db, { ...ids, newId: s.deps.newId }));
  await renameAll(s);
  await givePassword(s, owner.id);
  return { ...s, ids, opinions, search, made, audit, browser: await signedInBrowser(s, owner.email) };
}

export type HostileConsole = Awaited<ReturnType<typeof hostileConsole>>;
type BrandScene = Awaited<ReturnType<typeof brandScene>>;

/** A brand analysis that the hostile assistant has answered, in two countries as two personas. */
async function analyseOpinions(s: BrandScene, texts: Map<string, string>): Promise<{ path: string; id: string }> {
  const about = { brand_id: s.brandId };
  const prompts = [
    ...[0, 1, 2, 3].map((at) => ({ kind: "unaided", text: `Which phone ${at}?` })),
    { kind: "aided", text: "What is Acme?", ...about },
    { kind: "aided", text: "What is Belmora?", look_alike: "Belmora", ...about },
    { kind: "perception", text: "What do you think of Acme?", ...about },
    { kind: "attribute", text: "How is the price of Acme?", attribute: "price", ...about },
    { kind: "comparison", text: "Acme or Rival?", brand_id: s.rivalId },
  ];
  for (const [at, { text }] of prompts.entries()) texts.set(text, HOSTILE_ANSWERS[at % HOSTILE_ANSWERS.length] ?? "");
  const attributes = ["price", FORMULA, MARKUP, NAMES[6], NAMES[8]];
  const path = await s.analyse(prompts, { attributes });
  return { path, id: path.split("/").at(-1) ?? "" };
}

/** A search analysis of two collects in which each brand is named first once. */
async function insertSearches(s: BrandScene, ids: { organizationId: string; workspaceId: string; userId: string }) {
  const brands = NAMES.map((name, at) => {
    const relationship = at === 0 ? ("mine" as const) : ("competitor" as const);
    return { id: uuid(10 + at), name, domains: [`brand-${at}.example`], relationship };
  });
  const [own = { id: "" }, ...rivals] = brands;
  const topic = { id: uuid(31), kind: "topic" as const, name: MARKUP, parentId: uuid(30) };
  const keywords = [40, 41, 42, 43, 44, 45].map((id) => {
    return { id: uuid(id), text: `${MARKUP} ${id}`, thematicId: uuid(30), topicId: topic.id };
  });
  const answers = keywords.flatMap(({ id: keyword }) =>
    brands.map(({ id: brand_id }, at) => {
      const text = `${NAMES[0]} is best. ${MARKUP}`;
      return { keyword, source: "ASSISTANT_A" as const, run: at + 1, text, places: [{ brand_id, rank: 1 }] };
    }),
  );
  await s.store.write((db) =>
    insertScene(db, ids, {
      projectId: uuid(1),
      setup: ACTION_SETUP,
      ownBrandId: own.id,
      competitorIds: rivals.map(({ id }) => id),
      brands,
      facets: [{ id: uuid(30), kind: "thematic" as const, name: FORMULA }, topic],
      keywords,
      collects: [51, 52].map((id, at) => ({
        id: uuid(id),
        number: at + 1,
        answers: answers.map((answer, index) => ({ ...answer, id: uuid(1000 * id + index) })),
      })),
    }),
  );
  return { id: uuid(1), rivalId: uuid(11) };
}

/** Sets names that no form accepts, as old versions or backups may contain. */
async function renameAll({ store, brandId, rivalId, personas }: BrandScene): Promise<void> {
  await store.write(async ({ q, t }) => {
    for (const [at, id] of [brandId, rivalId].entries()) {
      const name = hostileName(10 + 2 * at);
      await q.update(t.brands).set({ name, nameFolded: name.toLowerCase() }).where(eq(t.brands.id, id));
    }
    for (const [at, id] of personas.entries()) {
      const name = hostileName(3 + at);
      const texts = {
        archetype: MARKUP,
        description: hostileName(4),
        motivations: [FORMULA],
        coreQuestions: [NAMES[0]],
      };
      await q
        .update(t.personas)
        .set({ name, ...texts })
        .where(eq(t.personas.id, id));
    }
    await q.update(t.analyses).set({ name: sql`${hostileName(3)} || ${t.analyses.name} || ${MARKUP}` });
    await q
      .update(t.auditPages)
      .set({ title: hostileName(2), skippedReason: null })
      .where(eq(t.auditPages.outcome, "pass"));
    await q
      .update(t.auditPages)
      .set({ title: hostileName(7) })
      .where(eq(t.auditPages.outcome, "warn"));
    const evidence = [MARKUP, NAMES[0], NAMES[4]].map((excerpt) => ({ excerpt, line: 7 }));
    const finding = { check: "one_h1", outcome: "fail" as const, message: MARKUP, evidence };
    await q.update(t.auditFindings).set({ findings: [finding] });
  });
}
