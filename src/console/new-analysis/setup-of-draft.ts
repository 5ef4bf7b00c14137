import { isBlank } from "../../../core/shared/fields.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import { CHOSEN_METHODS, waysToAsk, methodNamed } from "../../../core/sources/asked-sources.ts";
import { SOURCE_NAMES, SOURCES, type Source } from "../../../core/sources/sources.ts";
import { guessColumns, COLUMN_KINDS, type Columns } from "./guess-columns.ts";
import { countryCalled } from "../shared/places-and-languages.ts";
import type { Draft } from "./drafts.ts";
import { readKeywords, type ReadKeywords } from "./read-keywords.ts";
import { SEPARATORS, type Separator } from "./read-rows.ts";
import type { NewType } from "./steps.ts";

/** Widely known assistants, selected by default if no source is real. */
const USUAL: readonly Source[] = ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C", "ASSISTANT_D"];

export interface OfferedSource {
  source: Source;
  name: string;
  isReal: boolean;
  isConfigured: boolean;
  /** Methods that a configured provider supports. */
  methods: (typeof CHOSEN_METHODS)[number][];
}

export function offeredSources(adapters: SourceAdapters): OfferedSource[] {
  return SOURCES.map((source) => {
    const { configured: isConfigured, collection_method: method } = adapters[source];
    const methods = waysToAsk(source).flatMap((asked) => {
      const named = methodNamed(asked);
      return named !== undefined && adapters[asked].configured ? [named] : [];
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

/** Default selection: the real sources, else the widely known assistants. */
export function usualSources(offered: readonly OfferedSource[]): Source[] {
  const real = offered.filter(({ isReal }) => isReal).map(({ source }) => source);
  return real.length > 0 ? real : [...USUAL];
}

/** Default form values. */
export const USUAL_VALUES: Readonly<Record<string, string>> = {
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
export function valueOf({ fields }: Draft, field: string): string {
  return fields.get(field) ?? USUAL_VALUES[field] ?? "";
}

/** Splits at line breaks, commas and semicolons. */
export function listOf(text: string, between = /[\n,;]/): string[] {
  return text
    .split(between)
    .map((one) => one.trim())
    .filter((one) => !isBlank(one));
}

/** Adds `https://` if missing. */
export function addressOf(text: string): string {
  const typed = text.trim();
  return typed === "" || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`;
}

/** As corrected by the person, else as guessed. */
export function columnsOf({ fields, sent }: Draft): Columns {
  const text = fields.get("keywords") ?? "";
  const separator = fields.get("separator") ?? "";
  if (!sent.includes("columns") || !Object.hasOwn(SEPARATORS, separator)) return guessColumns(text);
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

export function keywordsOfDraft(draft: Draft, personas: readonly { id: string; name: string }[]): ReadKeywords {
  return readKeywords(draft.fields.get("keywords") ?? "", columnsOf(draft), personas);
}

export interface SetupParts {
  offered: readonly OfferedSource[];
  personas: readonly { id: string; name: string }[];
}

/** Setup for the quote: entered values, with defaults for steps not yet submitted. */
export function setupOfDraft(type: NewType, draft: Draft, parts: SetupParts): Record<string, unknown> {
  const common = { name: valueOf(draft, "name").trim(), ...scheduleOf(draft) };
  if (type === "audit") return { ...common, ...pagesOf(draft) };
  const brands = { brand_id: valueOf(draft, "brand"), competitor_ids: draft.fields.getAll("competitors") };
  const asked = { ...common, ...brands, ...askingOf(draft, parts) };
  return type === "search" ? { ...asked, ...searchedOf(draft, parts) } : { ...asked, ...opinionOf(draft) };
}

function scheduleOf(draft: Draft) {
  const of = (field: string) => valueOf(draft, field);
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

function askingOf(draft: Draft, { offered }: SetupParts) {
  const isSent = draft.sent.includes("where");
  const methods = draft.fields.getAll("methods");
  const cap = valueOf(draft, "max_spend").trim();
  return {
    sources: isSent ? draft.fields.getAll("sources") : usualSources(offered),
    ...(methods.length === 0 ? {} : { methods }),
    language: valueOf(draft, "language"),
    runs_per_prompt: Number(valueOf(draft, "runs")),
    ...(cap === "" ? {} : { max_spend_usd: Number(cap) }),
  };
}

function searchedOf(draft: Draft, { personas }: SetupParts) {
  const persona = valueOf(draft, "persona");
  const { thematics } = keywordsOfDraft(draft, personas);
  return {
    website: addressOf(valueOf(draft, "website")),
    country: valueOf(draft, "country"),
    device: valueOf(draft, "device"),
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

function opinionOf(draft: Draft) {
  const { edited } = draft.prompts;
  return {
    category: valueOf(draft, "category").trim(),
    attributes: listOf(valueOf(draft, "attributes")),
    countries: listOf(valueOf(draft, "countries")).map((text) => countryCalled(text) ?? text),
    persona_ids: draft.fields.getAll("personas"),
    ...(edited === null ? {} : { prompts: edited }),
  };
}

function pagesOf(draft: Draft) {
  const of = (field: string) => valueOf(draft, field);
  const sitemap = addressOf(of("sitemap_url"));
  const given =
    of("pages_of") === "list"
      ? { urls: listOf(of("urls"), /\n/).map(addressOf) }
      : { max_pages: Number(of("max_pages")), ...(sitemap === "" ? {} : { sitemap_url: sitemap }) };
  return { website: addressOf(of("website")), render: of("render") === "1", ...given };
}
