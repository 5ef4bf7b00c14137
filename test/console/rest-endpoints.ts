import type { Endpoint, Subject } from "./rest-reader.ts";

// REST requests of pages, and the names of their choices.

const metrics = (name: string) => (of: Subject) =>
  `/v1/organizations/${of.organizationId}/workspaces/${of.workspaceId}/analyses/${of.analysisId}/${name}`;
export const VISIBILITY: Endpoint = {
  path: metrics("metrics/visibility"),
  choices: {
    source: "sources",
    topic: "topics",
    persona: "personas",
    country: "countries",
    stage: "funnel_stages",
    collect: "collect_ids",
    sort: "sort",
    direction: "sort_direction",
  },
};
const LINK_CHOICES = { source: "sources", topic: "topics", country: "countries", collect: "collect_id" };
const LIST_CHOICES = {
  with: "with_brand",
  without: "absent_brand",
  cursor: "cursor",
  sort: "sort",
  direction: "sort_direction",
};
export const CITATIONS: Endpoint = {
  path: metrics("metrics/citations"),
  choices: {
    ...LINK_CHOICES,
    by: "group_by",
    pages: "pages",
    kind: "competitor_types",
    ...LIST_CHOICES,
  },
};
export const QUERIES: Endpoint = { path: metrics("metrics/queries"), choices: { ...LINK_CHOICES, ...LIST_CHOICES } };
export const ANSWERS: Endpoint = {
  path: metrics("answers"),
  always: () => ({ collect_id: "latest" }),
  choices: {
    direction: "sort_direction",
    source: "sources",
    country: "countries",
    collect: "collect_id",
    names: "brand_id",
    lacks: "absent_brand_id",
    keyword: "keyword_id",
    cursor: "cursor",
  },
};
const perceptionEndpoint = (name: string, more: Record<string, string> = {}): Endpoint => ({
  path: metrics(`metrics/${name}`),
  always: () => ({ statistics: "true", limit: "100", ...more }),
  choices: { source: "sources", persona: "personas", country: "countries", collect: "collect_ids" },
});
export const PERCEPTION = perceptionEndpoint("brand-perception");
export const COMPARISONS = perceptionEndpoint("comparisons", { group_by: "brand" });
export const ATTRIBUTES = perceptionEndpoint("attributes");
export const AWARENESS = perceptionEndpoint("brand-awareness");
export const COLLECTS: Endpoint = { path: metrics("collects"), choices: {} };
export const PROMPTS: Endpoint = {
  path: () => "/api/v1/keywords-metrics",
  always: (of) => ({
    client_id: of.organizationId,
    project_id: of.analysisId,
    sources: "",
    thematics: "",
    keyword_type: "",
    statistics: "true",
  }),
  choices: {
    source: "sources",
    topic: "topic_ids",
    persona: "persona_ids",
    country: "countries",
    stage: "funnel_stages",
    collect: "collect_id",
  },
};
export const FILTERS: Endpoint = {
  path: (of) => `/api/v1/projects/${of.analysisId}/filters`,
  always: (of) => ({ client_id: of.organizationId }),
  choices: {},
};
