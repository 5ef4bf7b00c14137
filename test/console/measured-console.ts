import { setTimeout as sleep } from "node:timers/promises";
import { signedInBrowser } from "../support/assistant.ts";
import { collectScene } from "../collecting/scene.ts";
import { chooseExtent } from "../support/proof.ts";
import type { Person } from "../support/world.ts";
import { demoConsole } from "./demo-console.ts";
import { opinionAnalysis } from "./opinion-analysis.ts";
import type { Subject } from "./rest-reader.ts";

/** A workspace with measured analyses in the console, and a REST reader. */
export interface MeasuredConsole extends AsyncDisposable {
  reader: Person;
  subjects: readonly [Subject, ...Subject[]];
  /** The text of a page, which must be there. */
  page: (path: string) => Promise<string>;
}

/**
 * The demo with search analysis, brand analysis, an imported one, and an unmeasured brand analysis;
 * or the last two.
 */
export function measuredConsole(): Promise<MeasuredConsole> {
  return chooseExtent(wholeConsole, importedConsole)();
}

async function wholeConsole(): Promise<MeasuredConsole> {
  const s = await demoConsole();
  const { organizationId, workspaceId } = s.analysis;
  const path = `/v1/organizations/${organizationId}/workspaces/${workspaceId}`;
  const own = s.analysis.brandId ?? "";
  const { body } = await s.reader.get(`${path}/analyses?limit=100`);
  const measured = (body.data as { id: string; type: string }[]).filter(({ type }) => type !== "geo_audit");
  const ids = [
    ...measured.map(({ id }) => id),
    await importAnalysis(s.reader, path, own),
    await opinionAnalysis(s.reader, path, own),
  ];
  const [first = "", ...others] = ids;
  const of = (analysisId: string) => ({ organizationId, workspaceId, analysisId, own });
  const page = async (at: string) => textOf(await s.page(at), at);
  return {
    reader: s.reader,
    subjects: [of(first), ...others.map(of)],
    page,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

async function importedConsole(): Promise<MeasuredConsole> {
  const s = await collectScene();
  const { owner: reader, organization, workspace, brandId: own } = s;
  const analysisId = await importAnalysis(reader, workspace.path, own);
  const opinions = await opinionAnalysis(reader, workspace.path, own);
  const browser = await signedInBrowser(s, reader.email);
  const place = { organizationId: organization.id, workspaceId: workspace.id, own };
  return {
    reader,
    subjects: [
      { ...place, analysisId },
      { ...place, analysisId: opinions },
    ],
    page: async (at) => textOf(await browser.get(`${s.config.baseUrl}${at}`), at),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

function textOf({ status, text }: { status: number; text: string }, at: string): string {
  if (status !== 200) throw new Error(`${at}: ${status}`);
  return text;
}

const KEYWORDS = 12;
const WEEK_MS = 7 * 86_400_000;
const STAGES = ["ToFu", "MoFu", "BoFu"] as const;

/** Creates an analysis of recorded answers over three weeks; returns its id. */
async function importAnalysis(owner: Person, workspacePath: string, brandId: string): Promise<string> {
  const { data: brands } = (await owner.get(`${workspacePath}/brands?limit=100`)).body;
  const names = (brands as { name: string }[]).map(({ name }) => name);
  const personas: string[] = [];
  // Two, so that filtering by one changes metrics.
  for (const name of ["Recorded first", "Recorded second"]) {
    personas.push((await owner.post(`${workspacePath}/personas`, { name, language: "en", country: "US" })).body.id);
  }
  const topics = ["First", "Second"].map((name, at) => ({
    name,
    keywords: Array.from({ length: KEYWORDS / 2 }, (_, index) => ({
      text: keywordOf(at * (KEYWORDS / 2) + index),
      funnel_stage: STAGES[index % STAGES.length],
      persona_id: personas[index % 2],
    })),
  }));
  const setup = {
    name: "Recorded",
    website: "https://recorded.example",
    brand_id: brandId,
    sources: [],
    runs_per_prompt: 1,
  };
  const priced = await owner.post(`${workspacePath}/search-analyses/price`, {
    ...setup,
    thematics: [{ name: "All", topics }],
  });
  const { body, status } = await owner.post(`${workspacePath}/search-analyses`, {
    quote_id: priced.body.quote_id,
    confirmed: true,
  });
  if (status !== 201) throw new Error(JSON.stringify([priced.body, body]));
  const analysis = `${workspacePath}/analyses/${body.id}`;
  for (const week of [0, 1, 2]) {
    const sent = await owner.request("POST", `${analysis}/answers/import`, {
      body: linesOf(names, week).join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    if (sent.status !== 201) throw new Error(JSON.stringify(sent.body));
  }
  for (;;) {
    const { data: collects } = (await owner.get(`${analysis}/collects`)).body;
    if ((collects as { finished_at: string | null }[]).every(({ finished_at: at }) => at !== null)) break;
    await sleep(10);
  }
  return body.id as string;
}

function keywordOf(at: number): string {
  return `which one for case ${at}`;
}

/**
 * Two runs of each keyword at two assistants and a result page. Brands depend on keyword, source,
 * run and week.
 */
function linesOf(names: readonly string[], week: number): string[] {
  const collected_at = new Date(Date.parse("2026-10-05T08:00:00.000Z") + week * WEEK_MS).toISOString();
  return Array.from({ length: KEYWORDS }, (_, at) => at).flatMap((at) =>
    [1, 2].flatMap((run) =>
      ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A"].map((source, index) => {
        const said = names.filter((_name, place) => (at * 5 + place * 3 + run + week * index + index) % 4 < 2);
        const ordered = at % 2 === 0 ? said : said.toReversed();
        const pages = ordered.map((name) => `https://${name.toLowerCase().replaceAll(/\W/g, "-")}.test/p/${at % 3}`);
        const shown =
          source === "SEARCH_A"
            ? {
                results: ordered.map((name, place) => ({
                  rank: place + 1,
                  url: pages[place],
                  title: name,
                  snippet: name,
                })),
              }
            : {
                text: ordered.map((name, place) => `${place + 1}. **${name}** lasts long.`).join("\n"),
                citations: pages.slice(0, at % 3).map((url) => ({ url })),
              };
        return JSON.stringify({ keyword: keywordOf(at), source, run, collected_at, ...shown });
      }),
    ),
  );
}
