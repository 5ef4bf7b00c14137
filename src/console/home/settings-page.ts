import type { z } from "zod";
import type { getMe } from "../../../tools/auth/get-me.ts";
import type { FavouriteSchema } from "../../../tools/favourites/favourite.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { renderName, truncateName } from "../shared/format-metrics.ts";
import { authoringToolAddress } from "../briefs/authoring-tool-page.ts";
import { exportsAddress, visibilityAddress } from "../shared/page-addresses.ts";
import { buildWorkspaceMembersAddress } from "../members/members-page.ts";
import { buildPlatformAccountsAddress } from "../platforms/platform-accounts-page.ts";

import { auditAddress } from "../audits/labels.ts";
import { buildEvaluationAddress, formatScore, type ShownEvaluation } from "../assets/evaluation-page.ts";

type CurrentUser = z.output<typeof getMe.output>;
type UserWorkspace = CurrentUser["workspaces"][number];

interface SettingsView {
  organizations: CurrentUser["organizations"];
  workspaces: readonly UserWorkspace[];
  favourites: readonly z.output<typeof FavouriteSchema>[];
  chosen: UserWorkspace | undefined;
  analyses: readonly { id: string; name: string; status: string; type: string }[];
  evaluations: readonly ShownEvaluation[];
}

export function renderSettingsPage(view: SettingsView): Html {
  return html` <h1>Settings</h1>
    ${renderFavouritesSection(view)} ${renderAccessSection(view)}
    ${view.chosen && renderAnalysesSection(view, view.chosen)}`;
}

function renderFavouritesSection({ favourites, chosen }: SettingsView): Html | undefined {
  if (favourites.length === 0) return undefined;
  return html`<section aria-labelledby="favourites">
    <h2 id="favourites">Favourites</h2>
    <ul class="rows">
      ${favourites.map(
        ({ id, kind, name, organization_id, workspace_id }) =>
          html`<li>
            ${renderFavouriteButton({ id, name, isMarked: true }, chosen)}
            <a
              href="${visibilityAddress({ organization_id, workspace_id })}${kind === "analysis" && html`?analysis=${id}`}"
              >${renderName(name)}</a
            >
            <span class="badge">${kind}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderAccessSection({ organizations, workspaces, favourites, chosen }: SettingsView): Html {
  const marked = new Set(favourites.map(({ id }) => id));
  return html`<section aria-labelledby="yours">
    <h2 id="yours">Your organizations and workspaces</h2>
    <div class="columns">
      <div>
        <h3>Organizations</h3>
        ${renderRowList(
          organizations.map(
            ({ id, name, role }) =>
              html`<li>
                <span
                  >${role === "guest" ? renderName(name) : html`<a href="/organizations/${id}">${renderName(name)}</a>`}</span
                >
                <span class="badge">${role}</span>
              </li>`,
          ),
        )}
        <p class="hint"><a href="/organizations">All organizations</a></p>
      </div>
      <div>
        <h3>Workspaces</h3>
        ${renderRowList(
          workspaces.map(
            ({ id, name, role }) =>
              html`<li>
                ${renderFavouriteButton({ id, name, isMarked: marked.has(id) }, chosen)}
                <a href="/settings?workspace=${id}" ${id === chosen?.id && html` aria-current="true"`}
                  >${renderName(name)}</a
                >
                <span class="badge">${role}</span>
              </li>`,
          ),
        )}
      </div>
    </div>
  </section>`;
}

function renderAnalysesSection(view: SettingsView, chosen: UserWorkspace): Html {
  const { analyses, evaluations } = view;
  const marked = new Set(view.favourites.map(({ id }) => id));
  const audits = analyses.filter(({ type }) => type === "geo_audit");
  const answered = analyses.filter(({ type }) => type !== "geo_audit");
  const row = ({ id, name, status }: SettingsView["analyses"][number], shown: Html) =>
    html`<li>
      ${renderFavouriteButton({ id, name, isMarked: marked.has(id) }, chosen)} ${shown}
      <span class="badge${status === "live" ? " badge-good" : ""}">${status}</span>
    </li>`;
  return html`<section aria-labelledby="analyses">
    <h2 id="analyses">Analyses of ${renderName(chosen.name)}</h2>
    ${
      (answered.length > 0 || audits.length === 0) &&
      renderRowList(
        answered.map((one) =>
          row(
            one,
            html`<a href="${visibilityAddress({ ...chosen, workspace_id: chosen.id })}?analysis=${one.id}"
              >${renderName(one.name)}</a
            >`,
          ),
        ),
      )
    }
    ${
      audits.length > 0 &&
      html`<h3>GEO audits</h3>
        ${renderRowList(
          audits.map((one) => {
            const place = { ...chosen, workspace_id: chosen.id, analysis_id: one.id };
            return row(one, html`<a href="${auditAddress(place)}">${renderName(one.name)}</a>`);
          }),
        )}`
    }
    ${
      evaluations.length > 0 &&
      html`<h3>Scored pages and texts</h3>
        ${renderRowList(
          evaluations.map(
            (one) =>
              html`<li>
                <a href="${buildEvaluationAddress(chosen, one.id)}">${renderName(one.name)}</a>
                <span class="badge">${formatScore(one.score) ?? one.status}</span>
              </li>`,
          ),
        )}`
    }
    <p class="hint"><a href="${exportsAddress({ ...chosen, workspace_id: chosen.id })}">Exports</a></p>
    ${chosen.role === "editor" && renderEditorLinks(chosen)}
  </section>`;
}

function renderEditorLinks(chosen: UserWorkspace): Html {
  const ids = { organization_id: chosen.organization_id, workspace_id: chosen.id };
  return html`<p class="hint">
    <a href="${buildWorkspaceMembersAddress(chosen.organization_id, chosen.id)}">Workspace members</a> ·
    <a href="${buildPlatformAccountsAddress(ids)}">Platform accounts</a> ·
    <a href="${authoringToolAddress(ids)}">Content tool</a>
  </p>`;
}

function renderRowList(rows: readonly Html[]): Html {
  return rows.length === 0
    ? html`<p class="faint">None yet.</p>`
    : html`<ul class="rows">
        ${rows}
      </ul>`;
}

function renderFavouriteButton(
  { id, name, isMarked }: { id: string; name: string; isMarked: boolean },
  chosen: { id: string } | undefined,
): Html {
  return postForm(
    {
      action: `/favourites/${isMarked ? "unmark" : "mark"}`,
      className: "star",
      hidden: { favourite_id: id, workspace: chosen?.id ?? "" },
    },
    html`<button aria-pressed="${isMarked ? "true" : "false"}" aria-label="Favourite: ${truncateName(name)}">
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
        <path d="m12 3.6 2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.8-5.2 2.8 1-5.8-4.2-4.1 5.8-.8z" />
      </svg>
    </button>`,
  );
}
