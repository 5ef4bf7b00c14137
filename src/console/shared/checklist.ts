import { html, type Html } from "../../http/pages/html.ts";
import { waysToConnect } from "../../http/pages/connect-instructions.ts";
import { brandsAddress, newAnalysisAddress, type WorkspaceIds } from "./page-addresses.ts";

/** Shown for an empty workspace. Editors complete the steps in a form. */
export function renderChecklist(
  mcpUrl: string,
  { ids, isEditor, hasBrand }: { ids: WorkspaceIds | undefined; isEditor: boolean; hasBrand: boolean },
): Html {
  const start = ids && isEditor && newAnalysisAddress(ids, "search/what");
  return html`<ol class="checklist">
    <li>
      <h2>Brand</h2>
      ${
        hasBrand && ids
          ? html`<p>Your brand is in the <a href="${brandsAddress(ids)}">catalog</a>.</p>`
          : html`<p>Name your brand and its rivals, and say where its website is.</p>`
      }
      ${
        start &&
        html`<div class="controls">
          <a class="button primary" href="${start}">${hasBrand ? "Set up the first analysis" : "Set up your brand"}</a>
          <a class="button secondary" href="${newAnalysisAddress(ids)}">Other kinds of analysis</a>
        </div>`
      }
    </li>
    <li>
      <h2>Prompts</h2>
      <p>
        Paste or upload what people ask or search for. A brand analysis suggests prompts. Import answers that you
        already have on the page of a search analysis.
      </p>
    </li>
    <li>
      <h2>Price</h2>
      <p>You see what it costs and what change it can find. Nothing is spent before you confirm.</p>
    </li>
    <li>
      <h2>Run</h2>
      <p>Confirm. The first figures appear when the run completes, often within minutes.</p>
    </li>
    <li>
      <h2 id="connect">Connect an assistant</h2>
      <p>It takes the steps above with you, and answers questions about your figures afterwards.</p>
      <div class="stack">${waysToConnect(mcpUrl)}</div>
    </li>
  </ol>`;
}
