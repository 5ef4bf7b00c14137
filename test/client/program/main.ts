import createClient from "openapi-fetch";
import type { components, paths } from "../generated/schema.js";

// A program as a customer writes it, with a client whose types are generated from openapi.json and
// nothing else.

/** What the program says at its end. */
export interface Report {
  taken: string | undefined;
  brands: (string | undefined)[];
  keywords: (string | undefined)[];
  sent: { partnerBriefId: string | null; again: string | undefined };
}

/** The main job, and the brief of the first action that has one to the partner. */
export async function run(given: { baseUrl: string; apiKey: string; partnerToken: string }): Promise<Report> {
  const { baseUrl } = given;
  const tokens = told(
    await createClient<paths>({ baseUrl }).POST("/v1/auth/token", { body: { api_key: given.apiKey } }),
  );
  const client = createClient<paths>({
    baseUrl,
    headers: { authorization: `${tokens.token_type} ${tokens.access_token}` },
  });

  const workspaces = told(await client.GET("/v1/workspaces", { params: { query: { limit: 10 } } }));
  const workspace = first(workspaces.data.filter(({ name }) => name === "Espresso machines"));
  const path = { organization_id: workspace.organization_id, workspace_id: workspace.id };
  const place = "/v1/organizations/{organization_id}/workspaces/{workspace_id}";

  const own = told(await client.GET(`${place}/brands`, { params: { path, query: { relationship: "mine" } } }));
  const { error } = await client.POST(`${place}/brands`, { params: { path }, body: { name: first(own.data).name } });
  const taken: components["schemas"]["ConflictError"] | undefined = error?.code === "CONFLICT" ? error : undefined;

  const quote = told(
    await client.POST(`${place}/search-analyses/price`, {
      params: { path },
      body: {
        name: "Travel espresso",
        website: "https://kestrova.example",
        brand_id: first(own.data).id,
        sources: ["SEARCH_A", "ASSISTANT_A"],
        thematics: [
          {
            name: "Travel",
            topics: [{ name: "Small kitchens", keywords: [{ text: "best travel espresso machine" }] }],
          },
        ],
        runs_per_prompt: 3,
      },
    }),
  );
  const created = told(
    await client.POST(`${place}/search-analyses`, {
      params: { path, header: { "Idempotency-Key": quote.quote_id } },
      body: { quote_id: quote.quote_id, confirmed: true },
    }),
  );
  const analysis = { ...path, analysis_id: created.id };
  const listCollects = async () =>
    told(await client.GET(`${place}/analyses/{analysis_id}/collects`, { params: { path: analysis } })).data;
  await until(async () => {
    const collects = await listCollects();
    return collects.length > 0 && collects.every(({ status }) => status === "completed");
  });

  const project = { client_id: workspace.organization_id, project_id: created.id };
  const top = told(
    await client.GET("/api/v1/top-brands", { params: { query: { ...project, sort_column: "visibility_score" } } }),
  );
  const metrics = told(
    await client.GET("/api/v1/keywords-metrics", {
      params: {
        query: { ...project, sources: ["SEARCH_A", "ASSISTANT_A"], thematics: ["Travel"], keyword_type: ["Generic"] },
      },
    }),
  );

  told(
    await client.PUT(`${place}/platform-integrations/partner`, {
      params: { path },
      body: { api_token: given.partnerToken, partner_workspace_id: "demo", recipients: ["writer@example.com"] },
    }),
  );
  const listActions = async () =>
    told(await client.GET(`${place}/recommended-actions`, { params: { path, query: { limit: 5 } } })).data;
  await until(async () => (await listActions()).length > 0);
  const result = { ...path, result_id: first(await listActions()).id };
  const listTasks = async () =>
    told(await client.GET(`${place}/recommended-actions/{result_id}/tasks`, { params: { path: result } })).data;
  await until(async () => first(await listTasks()).brief_ready);
  const task = first(await listTasks());
  const send = () =>
    client.POST(`${place}/recommended-actions/{result_id}/tasks/{task_id}/brief/partner`, {
      params: { path: { ...result, task_id: task.id } },
      body: { due_date: "2100-01-31T12:00:00.000Z" },
    });
  const brief = told(await send());
  const again = await send();
  return {
    taken: taken?.message,
    brands: top.data.map((row) => row.brand),
    keywords: metrics.data.map((row) => row.keyword_text),
    sent: { partnerBriefId: brief.partner_brief_id, again: again.error?.code },
  };
}

/** What was answered; throws the code and the message of a refusal. */
function told<T>({ data, error }: { data?: T; error?: components["schemas"]["Error"] }): T {
  if (data !== undefined) return data;
  throw new Error(`${error?.code}: ${error?.message}`);
}

function first<T>(list: readonly T[]): T {
  const [one] = list;
  if (one === undefined) throw new Error("The list is empty.");
  return one;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("It took longer than a minute.");
}
