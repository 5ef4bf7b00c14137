import type { Fault } from "../../http/pages/post-form.ts";
import { z } from "zod";
import type { FieldError } from "../../../core/shared/errors.ts";
import { brandAnalysisFields } from "../../../tools/analyses/kinds/brand-analysis/brand-analysis-setup.ts";
import { geoAuditFields } from "../../../tools/analyses/kinds/geo-audit/geo-audit-setup.ts";
import { searchAnalysisFields } from "../../../tools/analyses/kinds/search-analysis/search-analysis-setup.ts";
import { isFieldOfStep, type NewType, type StepName } from "./steps.ts";

const SETUP_FIELDS = { search: searchAnalysisFields, brand: brandAnalysisFields, audit: geoAuditFields };

const FIELDS_BY_PATH: Readonly<Record<string, string>> = {
  brand_id: "brand",
  competitor_ids: "competitor_names",
  thematics: "keywords",
  persona_ids: "personas",
  persona_id: "persona",
  runs_per_prompt: "runs",
  schedule: "every",
  "schedule.at": "at",
  "schedule.time_zone": "time_zone",
  "schedule.weekday": "weekday",
  "schedule.day_of_month": "day_of_month",
  ends_at: "ends",
  max_spend_usd: "max_spend",
};

function toFormField(path: string): string {
  const [, prompt] = /^prompts\.(\d+)/.exec(path) ?? [];
  if (prompt !== undefined) return `prompt_${prompt}`;
  if (path.startsWith("prompts")) return "prompt";
  const [first = ""] = path.split(".");
  return FIELDS_BY_PATH[path] ?? FIELDS_BY_PATH[first] ?? first;
}

const SHAPE_MESSAGES: Readonly<Record<string, string>> = {
  name: "Enter a name of at most 200 characters, on one line.",
  website: "Enter the address of a website, such as https://example.com.",
  brand: "Choose a brand from the list, or name another one.",
  category: "Say what people look for, such as espresso machines, in at most 200 characters.",
  attributes: "Name up to 6 attributes of at most 100 characters each.",
  country: "Choose a country from the list.",
  countries: "Name 1 to 8 countries, such as US, DE.",
  language: "Choose a language from the list.",
  device: "Choose a device from the list.",
  personas: "Choose up to 5 personas.",
  sources: "Choose at least one source.",
  methods: "Choose a method from the list.",
  runs: "Enter a whole number from 1 to 10.",
  every: "Choose how often.",
  at: "Enter a time of the day, such as 06:00.",
  weekday: "Choose a day of the week.",
  day_of_month: "Enter a day from 1 to 31.",
  ends: "Enter the last day, such as 2027-03-31.",
  max_spend: "Enter an amount from 0.01 to 1,000,000 US dollars, or leave it empty.",
  sitemap_url: "Enter the address of a sitemap, or leave it empty.",
  max_pages: "Enter a whole number from 1 to 5,000.",
};

/** Subjects prepended to API messages, which start with the predicate. */
const SENTENCE_STARTS: Readonly<Record<string, string>> = {
  ends: "The last day",
  at: "The time",
  time_zone: "The time zone",
  max_spend: "The spending limit",
  every: "How often",
  methods: "For this choice",
  sources: "With these sources",
  website: "The website",
  category: "The category",
  sitemap_url: "The sitemap",
};

export function findShapeFaults(type: NewType, step: StepName, setup: Record<string, unknown>): Fault[] {
  const read = z.object(SETUP_FIELDS[type]).partial().safeParse(setup);
  const issues = read.success ? [] : read.error.issues;
  const faults = issues.map(({ path }) => {
    const at = path.join(".");
    return { field: toFormField(at), message: getShapeMessage(type, at) };
  });
  return deduplicateByField(faults.filter(({ field }) => isFieldOfStep(type, step, field)));
}

function getShapeMessage(type: NewType, path: string): string {
  const field = toFormField(path);
  if (field === "competitor_names") return `Choose or name ${type === "brand" ? "1 to 10" : "up to 10"} competitors.`;
  const [, row] = /^urls\.(\d+)/.exec(path) ?? [];
  if (row !== undefined) return `Address ${Number(row) + 1} is none of a page, such as https://example.com/about.`;
  if (field === "urls") return "Enter 1 to 5,000 addresses, one per line.";
  if (field.startsWith("prompt")) return "Enter a prompt of at most 2,000 characters, without control characters.";
  return SHAPE_MESSAGES[field] ?? "Correct this field.";
}

export function toFaults(type: NewType, refused: readonly FieldError[]): Fault[] {
  return deduplicateByField(
    refused.map(({ path, message }) => ({ field: toFormField(path), message: describeRejection(type, path, message) })),
  );
}

function describeRejection(type: NewType, path: string, message: string): string {
  const field = toFormField(path);
  if (/^(Invalid|Too|Expected|Unrecognized)/.test(message)) return getShapeMessage(type, path);
  if (message.includes("list_brands")) return "A brand that was chosen is not in the catalog any more. Choose again.";
  if (message.includes("list_personas")) return "A persona that was chosen is gone. Choose again.";
  if (path === "prompts" && message.startsWith("is needed"))
    return "Prompts are not made in this language. Write your own here, or choose another language.";
  const [, row] = /^urls\.(\d+)/.exec(path) ?? [];
  if (row !== undefined) return `Address ${Number(row) + 1} ${message}.`;
  if (field.startsWith("prompt_")) return `It ${message}.`;
  const called = SENTENCE_STARTS[field];
  if (called !== undefined) return `${called}${field === "methods" || field === "sources" ? "," : ""} ${message}.`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function deduplicateByField(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.field, fault])).values()].toReversed();
}
