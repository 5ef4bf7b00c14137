import { readFileSync } from "node:fs";
import type { Resource as ListedResource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { analysisPage, type AnalysisIds } from "./analysis-page.ts";
import type { CallEndpoint } from "./call-endpoint.ts";

const MARKDOWN = "text/markdown";

/** A page that is read without sign-in. */
interface OpenPage {
  listed: ListedResource & { mimeType: string };
  text: string;
}

/** The pages of the documentation that help to read figures. They are the very files that people read. */
export const OPEN_PAGES: readonly OpenPage[] = [
  openPage("glossary", "Glossary", "The words that this product measures with."),
  openPage(
    "methodology",
    "Methodology",
    "How an answer is read and every figure computed, with the formulas.",
    "measurement",
  ),
];

/** The resources that belong to the signed-in person's organizations. */
export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "visibility://organizations/{organization_id}/workspaces/{workspace_id}/analyses/{analysis_id}",
    name: "analysis",
    title: "An analysis",
    description: "Setup, latest collects, most visible brands and beginnings of answers of one analysis, as Markdown.",
    mimeType: MARKDOWN,
  },
];

const UUID = "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})";
const ANALYSIS = new RegExp(`^visibility://organizations/${UUID}/workspaces/${UUID}/analyses/${UUID}$`);

/** True for what needs no sign-in. */
export function isOpenPage(uri: unknown): boolean {
  return OPEN_PAGES.some(({ listed }) => listed.uri === uri);
}

/** The Markdown at an address; undefined where there is none. Throws what the endpoints behind it refuse. */
export async function readResource(uri: string, ask: () => CallEndpoint): Promise<string | undefined> {
  const page = OPEN_PAGES.find(({ listed }) => listed.uri === uri);
  if (page) return page.text;
  const ids = analysisAt(uri);
  return ids && analysisPage(ids, ask());
}

/** The analysis at an address; undefined where the address is no analysis's. */
export function analysisAt(uri: string): AnalysisIds | undefined {
  const [, organization_id, workspace_id, analysis_id] = ANALYSIS.exec(uri.toLowerCase()) ?? [];
  if (organization_id === undefined || workspace_id === undefined || analysis_id === undefined) return undefined;
  return { organization_id, workspace_id, analysis_id };
}

function openPage(name: string, title: string, description: string, file = name): OpenPage {
  const listed = { uri: `visibility://${name}`, name, title, description, mimeType: MARKDOWN };
  return { listed, text: readFileSync(new URL(import.meta.resolve(`#root/docs/${file}.md`)), "utf8") };
}
