import { readFileSync } from "node:fs";
import type { Resource as ListedResource, ResourceLink, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { getAnalysis } from "../../../../tools/analyses/get-analysis.ts";
import { getAnswer } from "../../../../tools/answers/get-answer.ts";
import { Export, toSentFile } from "../../../../tools/exports/export.ts";
import { getExport } from "../../../../tools/exports/get-export.ts";
import { listExports } from "../../../../tools/exports/list-exports.ts";
import { getContentBrief } from "../../../../tools/briefs/get-content-brief.ts";
import type { AnyEndpoint, Endpoint } from "../../../../tools/endpoint.ts";
import { getRecommendedActionBrief } from "../../../../tools/actions/get-recommended-action-brief.ts";
import { renderAnalysisPage, type AnalysisIds } from "./analysis-page.ts";
import { renderAnswerPage } from "./answer-page.ts";
import { renderContentBriefPage, renderTaskBriefPage } from "./brief-pages.ts";
import type { CallEndpoint } from "./call-endpoint.ts";
import { hasFile, readExportFile, type ResourceFile } from "./export-file.ts";
import type { Deps } from "../../../call/deps.ts";
import { SKILL_PAGE } from "./skills.ts";

const MARKDOWN_MIME_TYPE = "text/markdown";
const UUID_PATTERN_SOURCE = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

interface OpenPage {
  listing: ListedResource & { mimeType: string };
  text: string;
}

export const OPEN_PAGES: readonly OpenPage[] = [
  createOpenPage("glossary", "Glossary", "Terms of this product."),
  createOpenPage(
    "methodology",
    "Methodology",
    "Extraction of answers and computation of every metric, with formulas.",
    "measurement",
  ),
  createOpenPage("brand-analyses", "Brand analyses", "Prompts of a brand analysis and their templates."),
  createOpenPage(
    "audits",
    "GEO audits",
    "Fetching, checking and scoring of pages, and every check with its weight, source and strength of evidence.",
  ),
  SKILL_PAGE,
];

/** A page of an organization; its address contains the path of the endpoint behind it. */
interface OrganizationPage {
  endpoint: AnyEndpoint;
  listedTemplate: ResourceTemplateType & { title: string };
  uriPattern: RegExp;
  renderPage(ids: PathIds, call: CallEndpoint, deps: Deps): Promise<string | ResourceFile>;
}

type PathIds = Record<string, string>;
type Fields = Record<string, unknown>;

const ANALYSIS_PAGE = createOrganizationPage(
  getAnalysis,
  {
    name: "analysis",
    title: "An analysis",
    description:
      "Setup, latest runs (`collect`), most visible brands and answer excerpts of one analysis, as Markdown.",
  },
  // Safe: the address pattern has a group for each id.
  (analysis, ids, call) => renderAnalysisPage(analysis, ids as unknown as AnalysisIds, call),
);

const ORGANIZATION_PAGES: readonly OrganizationPage[] = [
  ANALYSIS_PAGE,
  createOrganizationPage(
    getAnswer,
    {
      name: "answer",
      title: "An answer",
      description: "Full text, brands and cited pages of one answer, as Markdown.",
    },
    renderAnswerPage,
  ),
  createOrganizationPage(
    getRecommendedActionBrief,
    { name: "brief", title: "A brief", description: "Brief of a recommended action's task, as Markdown." },
    renderTaskBriefPage,
  ),
  createOrganizationPage(
    getContentBrief,
    {
      name: "content_brief",
      title: "A content brief",
      description: "Audience, outline and evidence of a planned piece of content, as Markdown.",
    },
    renderContentBriefPage,
  ),
  createOrganizationPage(
    getExport,
    {
      name: "export",
      title: "An exported file",
      description: "Rows of an exported file of up to 1 MB, with texts from outside.",
      mimeType: undefined,
    },
    (exported, _ids, _call, deps) => readExportFile(exported, deps),
  ),
];

export const TEMPLATES: readonly ResourceTemplateType[] = ORGANIZATION_PAGES.map(
  ({ listedTemplate }) => listedTemplate,
);

export function isOpenPage(uri: unknown): boolean {
  return OPEN_PAGES.some(({ listing }) => listing.uri === uri);
}

/** Markdown or file of a resource; undefined for an unknown address. Throws endpoint errors. */
export async function readResource(
  uri: string,
  ask: () => CallEndpoint,
  deps: Deps,
): Promise<string | ResourceFile | undefined> {
  const page = OPEN_PAGES.find(({ listing }) => listing.uri === uri);
  if (page) return page.text;
  for (const own of ORGANIZATION_PAGES) {
    const ids = parseIds(own, uri);
    if (ids) return own.renderPage(ids, ask(), deps);
  }
  return undefined;
}

/** Ids of an analysis from its address; undefined for other addresses. */
export function parseAnalysisUri(uri: string): AnalysisIds | undefined {
  return parseIds(ANALYSIS_PAGE, uri) as AnalysisIds | undefined;
}

/** Links of a result: to the page of what was read, or to the files of exports. */
export function linkResources(endpoint: AnyEndpoint, input: Fields, output: unknown): ResourceLink[] {
  const page = ORGANIZATION_PAGES.find((one) => one.endpoint === (endpoint === listExports ? getExport : endpoint));
  if (!page) return [];
  const { uriTemplate, name, title, mimeType } = page.listedTemplate;
  const link = (ids: Fields) => ({
    type: "resource_link" as const,
    uri: fillTemplate(uriTemplate, (key) => String(ids[key])),
    name,
    title,
    ...(mimeType !== undefined && { mimeType }),
  });
  if (page.endpoint !== getExport) return [link(input)];
  // Safe: both endpoints return exports.
  const exported = (endpoint === listExports ? (output as { data: unknown[] }).data : [output]) as z.output<
    typeof Export
  >[];
  return exported
    .filter(hasFile)
    .slice(0, MAX_LINKS)
    .map((row) => {
      const { name: fileName, mediaType, sizeBytes } = toSentFile(row);
      return { ...link({ ...input, export_id: row.id }), name: fileName, mimeType: mediaType, size: sizeBytes };
    });
}

/** Links cost a model about 100 tokens each. */
const MAX_LINKS = 20;

function parseIds({ uriPattern }: OrganizationPage, uri: string): PathIds | undefined {
  return uriPattern.exec(uri.toLowerCase())?.groups;
}

function createOpenPage(name: string, title: string, description: string, file = name): OpenPage {
  const listing = { uri: `visibility://${name}`, name, title, description, mimeType: MARKDOWN_MIME_TYPE };
  return { listing, text: readFileSync(new URL(import.meta.resolve(`#root/docs/${file}.md`)), "utf8") };
}

function createOrganizationPage<I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  listed: { name: string; title: string; description: string; mimeType?: undefined },
  render: (read: z.output<O>, ids: PathIds, call: CallEndpoint, deps: Deps) => string | Promise<string | ResourceFile>,
): OrganizationPage {
  const uriTemplate = `visibility:/${endpoint.path.slice("/v1".length).replaceAll(/:(\w+)/g, "{$1}")}`;
  return {
    endpoint,
    listedTemplate: { uriTemplate, mimeType: MARKDOWN_MIME_TYPE, ...listed },
    uriPattern: new RegExp(`^${fillTemplate(uriTemplate, (key) => `(?<${key}>${UUID_PATTERN_SOURCE})`)}$`),
    // Safe: the pattern has a group for each path id, which is the endpoint's whole input.
    renderPage: async (ids, call, deps) => render(await call(endpoint, ids as z.input<I>), ids, call, deps),
  };
}

function fillTemplate(uriTemplate: string, idOf: (key: string) => string): string {
  return uriTemplate.replaceAll(/\{(\w+)\}/g, (_, key: string) => idOf(key));
}
