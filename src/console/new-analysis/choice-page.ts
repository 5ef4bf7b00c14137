import { html, type Html } from "../../http/pages/html.ts";
import { analysesAddress, newAnalysisAddress, type WorkspaceIds } from "../shared/page-addresses.ts";

const ANALYSIS_CHOICES = [
  [
    "search",
    "Search analysis",
    "Sends your prompts to assistants and search engines, and measures how often, at which rank and with which sources each brand appears.",
  ],
  [
    "brand",
    "Brand analysis",
    "Asks assistants what they think of your brand and its rivals: who comes to mind, who is known, what is praised and blamed, and who is preferred.",
  ],
  [
    "audit",
    "GEO audit",
    "Fetches pages of a website and says how ready each is to be found, read and quoted by answer engines.",
  ],
] as const;

export function renderChoicePage(ids: WorkspaceIds): Html {
  return html`<p class="crumb"><a href="${analysesAddress(ids)}">Analyses</a></p>
    <h1>New analysis</h1>
    <p class="lead">You see the price before anything is spent.</p>
    <ul class="cards">
      ${ANALYSIS_CHOICES.map(
        ([type, name, text]) =>
          html`<li class="item choice">
            <h2><a href="${newAnalysisAddress(ids, `${type}/what`)}">${name}</a></h2>
            <p>${text}</p>
          </li>`,
      )}
    </ul>`;
}
