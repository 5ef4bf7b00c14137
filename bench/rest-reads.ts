import type { Db } from "../db/engine/store.ts";
import { insertScene, type SceneCollect } from "../test/support/search-scene.ts";
import {
  comparison,
  CONNECTIONS,
  measureInterleaved,
  ROUND_MS,
  startServerProcess,
  type Comparison,
} from "./interleave.ts";
import type { Load } from "./load.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";

const [BRANDS, KEYWORDS, NAMED] = [50, 50, 5];
const GOAL = 0.6;

/**
 * Requests per second of four REST routes with sign-in, audit and rate limits, against Express with
 * the same bodies.
 */
export async function compareRestReads(): Promise<Comparison[]> {
  const product = await startProduct(WIDE_LIMITS, insertFigures);
  const bodies: Record<string, unknown> = {};
  for (const path of Object.values(routesOf(product))) {
    const headers = { authorization: `Bearer ${product.accessToken}` };
    const response = await fetch(`http://localhost:${product.port}${path}`, { headers });
    if (!response.ok) throw new Error(`${path} was answered: ${await response.text()}`);
    bodies[path.split("?", 1)[0] ?? ""] = await response.json();
  }
  const bare = await startServerProcess("express.ts", { message: bodies });
  try {
    const loads: Record<string, Load> = {};
    for (const [what, path] of Object.entries(routesOf(product))) {
      loads[what] = loadOf(product, path, product.accessToken);
      loads[`bare ${what}`] = loadOf(bare, path);
    }
    const rounds = await measureInterleaved(loads);
    return Object.keys(routesOf(product)).map((what) =>
      comparison(what, "Express, the same JSON", rounds, [what, `bare ${what}`], GOAL),
    );
  } finally {
    bare.child.disconnect();
    await product.stop();
  }
}

function loadOf({ port }: { port: number }, path: string, token?: string): Load {
  const headers = { accept: "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { port, method: "GET", path, headers, body: "", connections: CONNECTIONS, ms: ROUND_MS };
}

/** The four routes, by content. */
export function routesOf({ organizationId, workspacePath }: Pick<Product, "organizationId" | "workspacePath">) {
  return {
    "REST, the caller's workspaces": "/v1/workspaces",
    "REST, 50 brands": `${workspacePath}/brands?limit=50`,
    "REST, 20 answers": `${workspacePath}/analyses/${PROJECT}/answers?limit=20`,
    "REST, figures of 50 brands": `/api/v1/top-brands?client_id=${organizationId}&project_id=${PROJECT}`,
  };
}

const PROJECT = idOf("a", 0);

function idOf(kind: string, at: number): string {
  return `01900000-0000-7000-8000-${kind}${String(at).padStart(11, "0")}`;
}

/** Two collects of 50 prompts by two assistants; each answer names five of 50 brands. */
export async function insertFigures(db: Db, owner: Parameters<typeof insertScene>[1]): Promise<void> {
  const collects = [1, 2].map((number): SceneCollect => {
    const answers = Array.from({ length: 2 * KEYWORDS }, (_, at) => ({
      id: idOf(String(number), at),
      keyword: idOf("e", at >> 1),
      source: at % 2 === 0 ? ("ASSISTANT_A" as const) : ("ASSISTANT_B" as const),
      text: "Several of these are quiet and last long. ".repeat(20),
      places: Array.from({ length: NAMED }, (_one, rank) => {
        return { brand_id: idOf("b", (at * 7 + rank * 11 + number) % BRANDS), rank: rank + 1 };
      }),
    }));
    return { id: idOf("c", number), number, answers };
  });
  await insertScene(db, owner, {
    projectId: PROJECT,
    ownBrandId: idOf("b", 0),
    brands: Array.from({ length: BRANDS }, (_, at) => ({ id: idOf("b", at), name: `Brand ${at + 1}` })),
    facets: [
      { id: idOf("f", 0), kind: "thematic", name: "Kitchen" },
      { id: idOf("f", 1), kind: "topic", name: "Espresso", parentId: idOf("f", 0) },
    ],
    keywords: Array.from({ length: KEYWORDS }, (_, at) => {
      return { id: idOf("e", at), text: `prompt ${at + 1}`, thematicId: idOf("f", 0), topicId: idOf("f", 1) };
    }),
    collects,
  });
}
