import { type Scene, insertScene } from "../support/search-scene.ts";
import { world, type Answer } from "../support/world.ts";

/** A readable UUID. */
export function uuid(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

export const PROJECT = uuid(1);
export const BRANDS = { kestrova: uuid(10), eclair: uuid(11), tavolino: uuid(12), absent: uuid(13), mini: uuid(14) };
export const FACETS = {
  home: uuid(20),
  work: uuid(21),
  first: uuid(22),
  milk: uuid(23),
  office: uuid(24),
  foam: uuid(25),
  loud: uuid(26),
  grinder: uuid(27),
  line: uuid(28),
};
export const PERSONA = uuid(30);
export const KEYWORDS = [uuid(40), uuid(41), uuid(42), uuid(43), uuid(44)] as const;
export const COLLECTS = { first: uuid(51), second: uuid(52), third: uuid(53), running: uuid(54) };

const [BEGINNERS, CAPPUCCINO, OFFICE, GOOD, GRIND] = KEYWORDS;
const { kestrova, eclair, tavolino, absent, mini } = BRANDS;
export const HOME_PAGE = "https://kestrova.example/";
const SHOP_PAGE = "https://kestrova.example/shop";

/**
 * Small enough to compute manually. Weights of ranks 1 to 4: 1, 0.630929…, 0.5, 0.430676… The third
 * collect is the default: four answers of assistants and overviews to Generic keywords, one to a
 * Brand keyword, and two result pages, counted on request.
 */
const SCENE: Scene = {
  projectId: PROJECT,
  ownBrandId: kestrova,
  competitorIds: [eclair, absent],
  brands: [
    { id: kestrova, name: "Kestrova", domains: ["kestrova.example"], relationship: "mine" },
    { id: eclair, name: "Éclair Café", domains: ["amazon.com"], relationship: "competitor" },
    { id: tavolino, name: "tavolino", domains: ["wikipedia.org"], relationship: "other" },
    { id: absent, name: "Absent", relationship: "competitor" },
    { id: mini, name: "Kestrova Mini", kind: "product", parentId: kestrova, relationship: "mine" },
    { id: uuid(15), name: "Elsewhere", relationship: "other" },
  ],
  facets: [
    { id: FACETS.home, kind: "thematic", name: "Home" },
    { id: FACETS.work, kind: "thematic", name: "Work" },
    { id: FACETS.first, kind: "topic", name: "First machine", parentId: FACETS.home },
    { id: FACETS.milk, kind: "topic", name: "Milk drinks", parentId: FACETS.home },
    { id: FACETS.office, kind: "topic", name: "Offices", parentId: FACETS.work },
    { id: FACETS.foam, kind: "strength", name: "Foam" },
    { id: FACETS.loud, kind: "weakness", name: "Loud" },
    { id: FACETS.grinder, kind: "related_product", name: "Grinder" },
    { id: FACETS.line, kind: "sub_brand", name: "Pro line" },
  ],
  personas: [{ id: PERSONA, name: "Beginner" }],
  keywords: [
    {
      id: BEGINNERS,
      text: "best machine for beginners",
      thematicId: FACETS.home,
      topicId: FACETS.first,
      personaId: PERSONA,
      funnelStage: "ToFu",
      intent: ["commercial"],
      searchVolume: 8100,
      trends: [7000, 9000.5],
    },
    {
      id: CAPPUCCINO,
      text: "machine for cappuccino",
      thematicId: FACETS.home,
      topicId: FACETS.milk,
      strengthId: FACETS.foam,
      funnelStage: "MoFu",
    },
    {
      id: OFFICE,
      text: "machine for an office",
      thematicId: FACETS.work,
      topicId: FACETS.office,
      weaknessId: FACETS.loud,
      funnelStage: "BoFu",
    },
    { id: GOOD, text: "is Kestrova good", thematicId: FACETS.home, topicId: FACETS.first, type: "Brand" },
    {
      id: GRIND,
      text: "machine with grinder",
      thematicId: FACETS.work,
      topicId: FACETS.office,
      relatedProductId: FACETS.grinder,
      subBrandId: FACETS.line,
    },
  ],
  collects: [
    {
      id: COLLECTS.first,
      number: 1,
      answers: [{ keyword: BEGINNERS, source: "SEARCH_A", places: [{ brand_id: eclair, rank: 1 }] }],
    },
    {
      id: COLLECTS.second,
      number: 2,
      status: "partial",
      answers: [
        { keyword: BEGINNERS, source: "ASSISTANT_A", places: [{ brand_id: kestrova, rank: 2, url: SHOP_PAGE }] },
        { keyword: CAPPUCCINO, source: "ASSISTANT_A", places: [{ brand_id: tavolino, rank: 1 }] },
      ],
    },
    {
      id: COLLECTS.third,
      number: 3,
      answers: [
        {
          keyword: BEGINNERS,
          source: "ASSISTANT_A",
          run: 1,
          places: [
            { brand_id: kestrova, rank: 1, mentions: 2, url: SHOP_PAGE },
            { brand_id: eclair, rank: 2 },
          ],
        },
        {
          keyword: BEGINNERS,
          source: "ASSISTANT_A",
          run: 2,
          places: [
            { brand_id: eclair, rank: 1 },
            { brand_id: tavolino, rank: 2 },
            { brand_id: kestrova, rank: 3, url: HOME_PAGE },
            { brand_id: mini, rank: 3 },
          ],
          cited: ["WIKI_ENCYCLOPEDIA"],
        },
        {
          keyword: BEGINNERS,
          source: "SEARCH_A",
          places: [
            { brand_id: kestrova, rank: 2, url: HOME_PAGE },
            { brand_id: tavolino, rank: 4 },
          ],
          cited: ["QA_FORUM", "BRANDED_WEBSITE"],
        },
        { keyword: CAPPUCCINO, source: "ASSISTANT_A", places: [{ brand_id: eclair, rank: 1, mentions: 3 }] },
        { keyword: CAPPUCCINO, source: "SEARCH_A_AIO", text: "An overview that names nobody." },
        { keyword: OFFICE, source: "SEARCH_A", informative: true },
        { keyword: OFFICE, source: "SEARCH_A_AIO", text: "", shown: false },
        { keyword: GOOD, source: "ASSISTANT_A", places: [{ brand_id: kestrova, rank: 1 }] },
      ],
    },
    {
      id: COLLECTS.running,
      number: 4,
      status: "running",
      answers: [{ keyword: BEGINNERS, source: "ASSISTANT_A", places: [{ brand_id: tavolino, rank: 1 }] }],
    },
  ],
};

type Query = Record<string, string | number | readonly string[] | undefined>;

/** The scene in the real service, with one reader. */
export async function searchWorld() {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => insertScene(db, ids, SCENE));
  const address = (path: string, query: Query) => {
    const search = new URLSearchParams({ client_id: organization.id });
    for (const [key, value] of Object.entries(query)) {
      if (value === undefined) search.delete(key);
      else for (const one of typeof value === "object" ? value : [String(value)]) search.append(key, one);
    }
    return `${path}?${search.toString()}`;
  };
  return {
    ...w,
    organization,
    workspace,
    owner,
    get: (path: string, query: Query = {}) => owner.get(address(path, query)),
    top: async (query: Query = {}) =>
      withoutBasis(await owner.get(address("/api/v1/top-brands", { project_id: PROJECT, ...query }))),
    keywords: async (query: Query = {}) => {
      const asked = {
        project_id: PROJECT,
        sources: ["SEARCH_A", "SEARCH_A_AIO", "ASSISTANT_A"],
        thematics: ["Home", "Work"],
        keyword_type: ["Generic", "Brand"],
      };
      return withoutBasis(await owner.get(address("/api/v1/keywords-metrics", { ...asked, ...query })));
    },
    address,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

/** A response without its basis, which a separate test checks. */
export function withoutBasis(answer: Answer): Answer {
  const { basis: _, ...body } = answer.body;
  return { ...answer, body };
}
