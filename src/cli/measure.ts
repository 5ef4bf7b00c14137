import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { z } from "zod";
import { BrandFileSchema } from "../../core/brands/brand-file.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { measureLines } from "../../core/metrics/measure-lines.ts";
import { parseAnswerLines } from "../../core/reading/recorded-line.ts";
import { formatMeasurementTable } from "./measurement-table.ts";

const MEASURE_HELP = `Measures how brands appear in a file of recorded answers. Runs locally, without a server or network.

  npx brand-visibility measure answers.jsonl --brands brands.json [--top 20] [--json]

answers.jsonl   one answer per line: {"keyword", "source", "text", "citations": [{"url", "title", "position"}],
                "results": [{"rank", "title", "url", "snippet"}], "run", "collect", "thematic"}
                or {"prompt", "answer", "run", "cited_urls", "additional_urls"}; "-" reads standard input
--brands        a JSON array of {"name", "aliases", "excluded_phrases", "domains", "parent_id", "relationship"};
                only name is required
--top           number of brands to show; 0 for all (default 20)
--json          prints the metrics as JSON, unrounded
--help          prints this text

Exit codes: 0 measured, 1 measured but some lines skipped, 2 nothing measured.
`;

class UsageError extends Error {}

interface MeasureOptions {
  answers: string;
  brands: string;
  topBrandCount: number;
  printsJson: boolean;
}

function readOptions(args: string[]): MeasureOptions | "help" {
  const { values, positionals } = parseOptions(args);
  if (values.help) return "help";
  const [answers, ...more] = positionals;
  if (!answers || more.length > 0) throw new UsageError("Pass one file of answers, or - for standard input.");
  if (!values.brands) throw new UsageError("Pass the file of brands: --brands brands.json");
  if (!/^\d{1,6}$/.test(values.top)) throw new UsageError("--top takes a whole number, 0 for all brands.");
  return { answers, brands: values.brands, topBrandCount: Number(values.top), printsJson: values.json };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        brands: { type: "string" },
        top: { type: "string", default: "20" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "The options are not valid.", { cause: error });
  }
}

function readText(path: string, fileName: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read the file of ${fileName}: ${path}. Check the path and its permissions.`, {
      cause: error,
    });
  }
}

function readCatalog(path: string): CompiledCatalog {
  let json: unknown;
  try {
    json = JSON.parse(readText(path, "brands"));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The file of brands is not JSON: ${path}. It must be an array such as [{"name": "Acme"}].`, {
      cause: error,
    });
  }
  const brands = BrandFileSchema.safeParse(json);
  if (brands.success) return compileCatalog(brands.data);
  throw new UsageError(`The file of brands is not valid:\n${z.prettifyError(brands.error)}`);
}

function measure(args: string[]): number {
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(MEASURE_HELP);
    return 0;
  }
  const catalog = readCatalog(options.brands);
  const { lines, rejectedLines } = parseAnswerLines(readText(options.answers, "answers"));
  for (const { line, message } of rejectedLines) process.stderr.write(`line ${line} skipped: ${message}\n`);
  if (lines.length === 0) throw new UsageError("No valid lines, so there is nothing to measure.");
  const measurement = measureLines(
    lines.map(({ value }) => value),
    catalog,
  );
  process.stdout.write(
    options.printsJson
      ? `${JSON.stringify(measurement, null, 2)}\n`
      : formatMeasurementTable(measurement, options.topBrandCount),
  );
  return rejectedLines.length > 0 ? 1 : 0;
}

export function runMeasure(args: string[]): void {
  try {
    process.exitCode = measure(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\nSee npx brand-visibility measure --help\n`);
    process.exitCode = 2;
  }
}
