import type { CompetitorType, FunnelStage, Source } from "../sources/sources.ts";

/** A prompt that the brief plans content for. Field names are those of the REST interface. */
export interface TargetPrompt {
  keyword_id: string;
  keyword: string;
  funnel_stage: FunnelStage | null;
  search_volume: number | null;
  answers: number;
  occurrences: number;
}

export interface OutlineSection {
  heading: string;
  points: string[];
}

export interface Audience {
  persona_id: string | null;
  name: string;
  description: string;
  motivations: string[];
  pain_points: string[];
}

export interface CitedSource {
  domain: string;
  url: string;
  competitor_type: CompetitorType;
  citations: number;
  sources: Source[];
}

export interface NamedEntity {
  brand_id: string;
  brand: string;
  own: boolean;
  occurrences: number;
  average_rank: number | null;
}
