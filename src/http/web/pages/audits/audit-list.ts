import type { z } from "zod";
import type { listAnalyses } from "../../../../../tools/analyses/list-analyses.ts";
import type { getAudit } from "../../../../../tools/audits/get-audit.ts";
import { html, type Html } from "../../html.ts";
import { instantShown } from "../../page.ts";
import { scrollTable } from "../../table.ts";
import { AREA_NAMES, auditAddress, runBadge, simulatedBadge } from "./words.ts";

/** An audit with its newest run. */
export interface ListedAudit {
  analysis: z.output<typeof listAnalyses.output>["data"][number];
  audit: z.output<typeof getAudit.output>;
}

/** The audits of one workspace, each with the scores of its newest run that has ended. */
export function auditListPage({
  audits,
  next,
  start,
}: {
  audits: readonly ListedAudit[];
  next: string | null;
  /** Where an audit is set up; undefined for who may only look. */
  start: string | undefined;
}): Html {
  return html`<h1>Audits</h1>
    <p class="lead">How ready a website is to be found, read and quoted by answer engines.</p>
    ${start !== undefined && audits.length > 0 && html`<p><a class="button secondary" href="${start}">New audit</a></p>`}
    ${audits.length === 0 ? noAudits(start) : table(audits)}
    ${next !== null && html`<p class="pager"><a href="?cursor=${encodeURIComponent(next)}">Next</a></p>`}`;
}

function noAudits(start: string | undefined): Html {
  return html`<div class="empty">
    <p>No audit yet. The price is shown before anything is fetched.</p>
    ${
      start === undefined
        ? html`<p>An editor of the workspace sets one up, here or by an assistant: <em>audit our site</em>.</p>`
        : html`<a class="button primary" href="${start}">New audit</a>
            <p>Or ask your assistant to <em>audit our site</em>. <a href="/assistants">Connect an assistant</a></p>`
    }
  </div>`;
}

function table(audits: readonly ListedAudit[]): Html {
  const areas = Object.values(AREA_NAMES).map(({ name }) => ({ number: name }));
  return scrollTable({
    label: "Audits of this workspace",
    className: "fitted",
    columns: ["Audit", "Newest run", ...areas, { number: "Pages" }, { number: "With a failed check" }],
    rows: audits.map(row),
  });
}

function number(value: number | null | undefined): Html {
  return html`<td class="number">${value ?? html`<span class="faint">–</span>`}</td>`;
}

function row({ analysis, audit: { run, under_way: now, scores, pages } }: ListedAudit): Html {
  const place = { ...analysis, analysis_id: analysis.id };
  return html`<tr>
    <th scope="row"><a href="${auditAddress(place)}">${analysis.name}</a></th>
    <td>
      ${run ? html`${runBadge(run.status)} ${run.is_simulated && simulatedBadge}` : !now && html`<span class="faint">none yet</span>`}
      ${run && html`<small>${instantShown(run.started_at, "", "day")}</small>`}
      ${now && html`<small>run ${now.number}: ${now.succeeded + now.failed} of ${now.planned} pages</small>`}
    </td>
    ${Object.keys(AREA_NAMES).map((area) => number(scores.find((one) => one.area === area)?.score))}
    ${number(pages?.audited)} ${number(pages?.fail)}
  </tr>`;
}
