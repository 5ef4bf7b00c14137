import { isBlank } from "../../../core/shared/fields.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import {
  CHOSEN_METHODS,
  listSourceVariants,
  findNamedMethod,
  SOURCE_NAMES,
  SOURCES,
  type Source,
} from "../../../core/sources/sources.ts";
import { guessColumns, COLUMN_KINDS, type Columns } from "./guess-columns.ts";
import { findCountryCode } from "../shared/countries-and-languages.ts";
import type { Draft } from "./drafts.ts";
import { readKeywords, type ReadKeywords } from "./read-keywords.ts";
import { COLUMN_SEPARATORS, type Separator } from "./read-rows.ts";
import type { NewType } from "./steps.ts";

/** Widely known assistants, selected by default if no source is real. */
const DEFAULT_ASSISTANTS: readonly Source[] = ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C", "ASSISTANT_D"];

export interface OfferedSource {
  source: Source;
  name: string;
  isReal: boolean;
  isConfigured: boolean;
  /** Methods that a configured provider supports. */
  methods: (typeof CHOSEN_METHODS)[number][];
}

export function listOfferedSources(adapters: SourceAdapters): OfferedSource[] {
  return SOURCES.map((source) => {
    const { isConfigured, collection_method: method } = adapters[source];
    const methods = listSourceVariants(source).flatMap((asked) => {
      const named = findNamedMethod(asked);
      return named !== undefined && adapters[asked].isConfigured ? [named] : [];
    });
    return {
      source,
      name: SOURCE_NAMES[source],
      isConfigured,
      isReal: isConfigured && method !== "simulated",
      methods,
    };
  });
}

export function selectDefaultSources(offered: readonly OfferedSource[]): Source[] {
  const real = offered.filter(({ isReal }) => isReal).map(({ source }) => source);
  return real.length > 0 ? real : [...DEFAULT_ASSISTANTS];
}

export const DEFAULT_VALUES: Readonly<Record<string, string>> = {
  country: "US",
  countries: "US",
  language: "en",
  device: "desktop",
  runs: "3",
  every: "once",
  at: "06:00",
  time_zone: "UTC",
  pages_of: "sitemap",
  max_pages: "100",
};

/** Entered value, or the default until its step is submitted. */
export function fieldValue({ fields }: Draft, field: string): string {
  return fields.get(field) ?? DEFAULT_VALUES[field] ?? "";
}

export function splitList(text: string, between = /[\n,;]/): string[] {
  return text
    .split(between)
    .map((one) => one.trim())
    .filter((one) => !isBlank(one));
}

export function completeUrl(text: string): string {
  const typed = text.trim();
  return typed === "" || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`;
}

/** Columns as the person corrected them, else as guessed. */
export function readColumns({ fields, sent }: Draft): Columns {
  const text = fields.get("keywords") ?? "";
  const separator = fields.get("separator") ?? "";
  if (!sent.includes("columns") || !Object.hasOwn(COLUMN_SEPARATORS, separator)) return guessColumns(text);
  const guessed = guessColumns(text, separator as Separator);
  const kinds = guessed.kinds.map((kind, at) => {
    const given = fields.get(`column_${at}`);
    return given === null ? kind : (COLUMN_KINDS.find((known) => known === given) ?? "");
  });
  return { separator: separator as Separator, hasHead: fields.get("head") === "1", kinds };
}

/** True if the person must confirm the columns, because there are several. */
export function hasColumns({ fields }: Draft): boolean {
  return guessColumns(fields.get("keywords") ?? "").kinds.length > 1;
}

export function readDraftKeywords(draft: Draft, personas: readonly { id: string; name: string }[]): ReadKeywords {
  return readKeywords(draft.fields.get("keywords") ?? "", readColumns(draft), personas);
}

export interface SetupParts {
  offered: readonly OfferedSource[];
  personas: readonly { id: string; name: string }[];
}

/** Setup for the quote: entered values, with defaults for steps not yet submitted. */
export function buildSetup(type: NewType, draft: Draft, parts: SetupParts): Record<string, unknown> {
  const common = { name: fieldValue(draft, "name").trim(), ...buildSchedule(draft) };
  if (type === "audit") return { ...common, ...buildPages(draft) };
  const brands = { brand_id: fieldValue(draft, "brand"), competitor_ids: draft.fields.getAll("competitors") };
  const asked = { ...common, ...brands, ...buildCollection(draft, parts) };
  return type === "search" ? { ...asked, ...buildSearch(draft, parts) } : { ...asked, ...buildOpinions(draft) };
}

function buildSchedule(draft: Draft) {
  const of = (field: string) => fieldValue(draft, field);
  const every = of("every");
  if (every === "once") return { schedule: "once" };
  return {
    schedule: {
      every,
      at: of("at"),
      time_zone: of("time_zone").trim(),
      ...(every === "weekly" && of("weekday") !== "" ? { weekday: of("weekday") } : {}),
      ...(every === "monthly" && of("day_of_month") !== "" ? { day_of_month: Number(of("day_of_month")) } : {}),
    },
    ...(of("ends") === "" ? {} : { ends_at: `${of("ends")}T23:59:59Z` }),
  };
}

function buildCollection(draft: Draft, { offered }: SetupParts) {
  const isSent = draft.sent.includes("where");
  const methods = draft.fields.getAll("methods");
  const cap = fieldValue(draft, "max_spend").trim();
  return {
    sources: isSent ? draft.fields.getAll("sources") : selectDefaultSources(offered),
    ...(methods.length === 0 ? {} : { methods }),
    language: fieldValue(draft, "language"),
    runs_per_prompt: Number(fieldValue(draft, "runs")),
    ...(cap === "" ? {} : { max_spend_usd: Number(cap) }),
  };
}

function buildSearch(draft: Draft, { personas }: SetupParts) {
  const persona = fieldValue(draft, "persona");
  const { thematics } = readDraftKeywords(draft, personas);
  return {
    website: completeUrl(fieldValue(draft, "website")),
    country: fieldValue(draft, "country"),
    device: fieldValue(draft, "device"),
    thematics:
      persona === ""
        ? thematics
        : thematics.map(({ name, topics }) => ({
            name,
            topics: topics.map((topic) => ({
              ...topic,
              keywords: topic.keywords.map((keyword) => ({ persona_id: persona, ...keyword })),
            })),
          })),
  };
}

function buildOpinions(draft: Draft) {
  const { edited } = draft.prompts;
  return {
    category: fieldValue(draft, "category").trim(),
    attributes: splitList(fieldValue(draft, "attributes")),
    countries: splitList(fieldValue(draft, "countries")).map((text) => findCountryCode(text) ?? text),
    persona_ids: draft.fields.getAll("personas"),
    ...(edited === null ? {} : { prompts: edited }),
  };
}

function buildPages(draft: Draft) {
  const of = (field: string) => fieldValue(draft, field);
  const sitemap = completeUrl(of("sitemap_url"));
  const given =
    of("pages_of") === "list"
      ? { urls: splitList(of("urls"), /\n/).map(completeUrl) }
      : { max_pages: Number(of("max_pages")), ...(sitemap === "" ? {} : { sitemap_url: sitemap }) };
  return { website: completeUrl(of("website")), render: of("render") === "1", ...given };
}
