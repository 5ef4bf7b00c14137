import { STANCES } from "../../core/reading/capture.ts";
import { readBrands, readChanges, readSites, totals, type BrandRow, type SiteRow } from "./rows.ts";
import { readStances, type StanceRow } from "./stances.ts";
import { OWN, type ReportScene } from "./scene.ts";

const MAX_LEADING_BRANDS = 10;
const MAX_CITED_SITES = 12;

/**
 * The page docs/example-report.md: every figure is REST's for the import, or a sum or share of such
 * figures.
 */
export async function writeReport(scene: ReportScene): Promise<string> {
  const brands = await readBrands(scene);
  const topics = await readBrands(scene, "topic");
  const sites = await readSites(scene);
  const stances = readStances(scene.answers);
  const presence = await readChanges(scene, "presence");
  const visibility = await readChanges(scene, "visibility");
  const own = brands.find(({ is_my_brand: isOwn }) => isOwn);
  if (!own) throw new Error(`${OWN} has no row`);
  const parts = [
    openingSection(own, scene.collects.length),
    leadingSection(brands, own),
    topicSection(topics),
    sourceSection(sites),
    stanceSection(stances, brands),
    changeSection(presence, visibility),
    CLOSING,
  ];
  return `${parts.join("\n\n")}\n`;
}

const percent = (rate: number | null) => (rate === null ? "–" : `${(100 * rate).toFixed(0)} %`);
const figure = (value: number | null) => (value === null ? "–" : value.toFixed(1));
const interval = ({ ci_low: low, ci_high: high }: BrandRow) =>
  low === null || high === null ? "too few prompts" : `${percent(low)} to ${percent(high)}`;

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function openingSection({ answers, prompts, occurrences, presence_rate: rate }: BrandRow, collects: number): string {
  return `# Example: how ChatGPT shows ${OWN}

See the report that a marketer gets from recorded answers. \`npm run proof -- report:example\` imports ${answers} real answers of a public study: ${prompts} prompts on five kinds of devices, in ${collects} runs. It reads the metrics over REST and writes this page; a test checks that the page is up to date. [measurement.md](measurement.md) defines every metric. The answers come from one assistant at one time and do not describe the present.

**In short:** ${OWN} is named in ${percent(rate)} of the answers (${occurrences} of ${answers}).`;
}

function leadingSection(brands: readonly BrandRow[], own: BrandRow): string {
  const place = brands.findIndex(({ brand }) => brand === own.brand) + 1;
  const rows = brands
    .slice(0, MAX_LEADING_BRANDS)
    .map((row) => [
      row.is_my_brand ? `**${row.brand}**` : row.brand,
      `${percent(row.presence_rate)} (${row.occurrences} of ${row.answers})`,
      interval(row),
      figure(row.average_rank),
      percent(row.top_3_rate),
      figure(row.visibility_score),
      percent(row.share_of_voice),
      row.grade,
    ]);
  return `## Leading brands

${OWN} is number ${place} of ${brands.length} brands by presence. The interval contains the presence for prompts like these in 95 of 100 cases. *Exploratory* values are too uncertain to base a decision on.

${table(["Brand", "Named in", "95 % interval", "Average rank", "Top 3", "Visibility (0 to 100)", "Share of voice", "Grade"], rows)}`;
}

function topicSection(topics: readonly BrandRow[]): string {
  const rows = topics.map((row) => [
    row.topic ?? "",
    `${percent(row.presence_rate)} (${row.occurrences} of ${row.answers})`,
    figure(row.average_rank),
    figure(row.visibility_score),
  ]);
  return `## ${OWN} by type of device

${table(["Topic", "Named in", "Average rank", "Visibility"], rows)}

Four prompts per topic are too few for an interval.`;
}

function sourceSection(sites: readonly SiteRow[]): string {
  const all = sites.reduce((sum, { citations }) => sum + citations, 0);
  const shares = (rows: [string, number][]) => rows.map(([name, count]) => [name, `${count}`, percent(count / all)]);
  const types = totals(
    sites,
    ({ competitor_type: type }) => `\`${type}\``,
    ({ citations }) => citations,
  );
  const domains = totals(
    sites,
    ({ domain, competitor_type: type }) => `${domain} (\`${type}\`)`,
    ({ citations }) => citations,
  );
  return `## Cited sites

${all} citations, by type of site:

${table(["Type of site", "Citations", "Share"], shares(types))}

The most cited of ${domains.length} sites:

${table(["Site", "Citations", "Share"], shares(domains.slice(0, MAX_CITED_SITES)))}`;
}

function stanceSection(stances: readonly StanceRow[], brands: readonly BrandRow[]): string {
  const rows = brands.slice(0, MAX_LEADING_BRANDS).map(({ brand, is_my_brand: isOwn }) => {
    const said = stances.filter((row) => row.brand === brand);
    const counts = STANCES.map((stance) => said.filter((row) => row.stance === stance).length);
    return [isOwn ? `**${brand}**` : brand, `${said.length}`, ...counts.map(String)];
  });
  return `## Stances on the leading brands

Mentions by stance, from the best to the worst, as in brand analyses. REST has no stances of imported answers, so for this table the same rules run outside the service:

${table(["Brand", "Mentions", ...STANCES], rows)}`;
}

function changeSection(presence: readonly BrandRow[], visibility: readonly BrandRow[]): string {
  const leaders = presence.slice(0, MAX_LEADING_BRANDS);
  const rows = leaders.map((row) => {
    const score = visibility.find(({ brand }) => brand === row.brand);
    return [
      row.is_my_brand ? `**${row.brand}**` : row.brand,
      `${percent(row.previous)} → ${percent(row.presence_rate)}`,
      verdict(row),
      score?.change?.before == null ? "–" : `${figure(score.change.before)} → ${figure(score.change.after)}`,
      score ? verdict(score) : "–",
    ];
  });
  const verdicts = totals(
    [...presence, ...visibility],
    ({ change }) => change?.verdict ?? "none",
    () => 1,
  );
  const moves = presence.filter((row) => row.previous !== null && row.previous !== row.presence_rate).length;
  return `## Changes

The third run is compared with the two before it. The study sent the same prompts again and changed nothing, so all differences are chance, and the statistics should show that. Presence differs for ${moves} of ${presence.length} brands. Verdicts over both metrics: ${verdicts.map(([name, count]) => `${count} \`${name}\``).join(", ")}.

${table(["Brand", "Presence, before → after", "Verdict", "Visibility, before → after", "Verdict"], rows)}

\`insufficient_data\` means that fewer than six prompts differ. \`within_noise\` means that a difference of this size is common without a real change. Neither verdict reports a change.`;
}

function verdict({ change }: BrandRow): string {
  if (!change) return "–";
  return change.p === null ? `\`${change.verdict}\`` : `\`${change.verdict}\` (p ${change.p.toFixed(2)})`;
}

const CLOSING = `## Limits of this report

The report covers one assistant, one country and one language; an analysis with its own runs can cover more of each. Twenty prompts give wide intervals: \`power\` in the price of an analysis states the number of prompts that detect a change of five points.`;
