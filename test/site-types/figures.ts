import { existsSync, readFileSync } from "node:fs";
import { detectCompetitorType } from "../../core/brands/competitor-type.ts";
import { KNOWN_DOMAINS } from "../../core/brands/known-domains.ts";
import { parseHost, lookUpHost, registrableDomain } from "../../core/identity/domains.ts";
import { COMPETITOR_TYPES } from "../../core/sources/sources.ts";
import { RECORDED_ANSWERS } from "../measurement/truth.ts";

const RECORDED_RUNS = RECORDED_ANSWERS.replace("answers.jsonl", "runs.jsonl");

type Half = "open" | "held-out";

/** Labels of one half of the recorded domains by host: the site type that a person assigned. */
export function readLabels(half: Half): Map<string, string> {
  const lines = readFileSync(new URL(`${half}.tsv`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return new Map(
    lines.map((line) => {
      const [host = "", type = ""] = line.split("\t");
      return [host, type];
    }),
  );
}

/**
 * Addresses that recorded answers cite, once for each citation; undefined where the folder of
 * recorded data is absent.
 */
export function citedAddresses(): string[] | undefined {
  if (!existsSync(RECORDED_ANSWERS)) return undefined;
  // Safe: the recorded files' rows have these fields (their README).
  const answers = linesOf(RECORDED_ANSWERS) as { cited_urls: string[] }[];
  const runs = linesOf(RECORDED_RUNS) as { citations: { url: string; type: string }[] }[];
  return [
    ...answers.flatMap(({ cited_urls }) => cited_urls),
    ...runs.flatMap(({ citations }) => citations.filter(({ type }) => type === "cited").map(({ url }) => url)),
  ];
}

function linesOf(path: string): unknown[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

interface Read {
  /** True if the table has a row for the host; otherwise only rules apply. */
  isKnown: boolean;
  domain: string;
  label: string;
  got: string;
}

function grouped(reads: readonly Read[], by: (read: Read) => string): Map<string, Read[]> {
  const groups = new Map<string, Read[]>();
  for (const read of reads) groups.set(by(read), [...(groups.get(by(read)) ?? []), read]);
  return groups;
}

/**
 * A Markdown row: name, citations, sites, and the shares right and UNKNOWN by citation and by site.
 * A site with several types counts proportionally.
 */
function row(name: string, reads: readonly Read[]): string {
  const sites = grouped(reads, ({ domain }) => domain);
  const share = (counts: (read: Read) => boolean) => {
    const byCitation = reads.filter(counts).length / reads.length;
    const bySite = [...sites.values()].map((of) => of.filter(counts).length / of.length).reduce((a, b) => a + b, 0);
    return `${byCitation.toFixed(3)} | ${(bySite / sites.size).toFixed(3)}`;
  };
  const right = share(({ label, got }) => label === got);
  return `| ${name} | ${reads.length} | ${sites.size} | ${right} | ${share(({ got }) => got === "UNKNOWN")} |`;
}

/** Tables of docs/reference/site-types.md: both halves, and each type of the held-out half. */
export function siteTypeTables(addresses: readonly string[]): { halves: string; types: string } {
  const readsOf = (half: Half) => {
    const labels = readLabels(half);
    return addresses.flatMap((url): Read[] => {
      const label = lookUpHost(labels, parseHost(url));
      const got = detectCompetitorType({ url, brand: undefined });
      const isKnown = lookUpHost(KNOWN_DOMAINS, parseHost(url)) !== undefined;
      return label === undefined ? [] : [{ isKnown, domain: registrableDomain(url), label, got }];
    });
  };
  const heldOut = readsOf("held-out");
  const ofType = grouped(heldOut, ({ label }) => label);
  const types = COMPETITOR_TYPES.flatMap((type) => {
    const reads = ofType.get(type) ?? [];
    const given = heldOut.filter(({ got }) => got === type);
    const right = given.filter(({ label }) => label === type).length;
    return reads.length > 0 ? [`${row(`\`${type}\``, reads)} ${right} of ${given.length} |`] : [];
  });
  return {
    halves: [
      row("that rows were written for", readsOf("open")),
      row("held out", heldOut),
      row(
        "of these, without a row",
        heldOut.filter(({ isKnown }) => !isKnown),
      ),
    ].join("\n"),
    types: types.join("\n"),
  };
}
