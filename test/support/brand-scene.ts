import { startAssistant, responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";

/**
 * A service that collects brand analyses of Acme, compared with Rival, in two countries and as two
 * personas. The provider answers each prompt with its current entry in `texts`.
 */
export async function brandScene(
  texts: Map<string, string>,
  { env = {}, bodyOf = responseBody }: { env?: Record<string, string>; bodyOf?: (text: string) => object } = {},
) {
  const provider = await startAssistant((prompt) => ({ body: bodyOf(texts.get(prompt) ?? "No idea.") }));
  const s = await collectScene({ env: { ...provider.env, ...env } });
  const { owner, workspace, brandId } = s;
  const brands = (await owner.get(`${workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const rivalId = brands.find(({ name }) => name === "Rival")?.id ?? "";
  const personas: string[] = [];
  for (const name of ["Anna", "Ben"]) personas.push((await owner.post(`${workspace.path}/personas`, { name })).body.id);
  return {
    ...s,
    rivalId,
    personas,
    /** Creates an analysis of these prompts and returns its address after its first collect. */
    async analyse(prompts: object[], more: object = {}) {
      const setup = { name: "Opinion", brand_id: brandId, category: "phones", competitor_ids: [rivalId] };
      const asked = { countries: ["US", "DE"], persona_ids: personas, sources: ["ASSISTANT_A"], runs_per_prompt: 1 };
      const priced = await owner.post(`${workspace.path}/brand-analyses/price`, {
        ...setup,
        ...asked,
        prompts,
        ...more,
      });
      if (priced.status !== 200) throw new Error(JSON.stringify(priced.body));
      const made = await owner.post(`${workspace.path}/brand-analyses`, {
        quote_id: priced.body.quote_id,
        confirmed: true,
      });
      const analysis = `${workspace.path}/analyses/${made.body.id}`;
      await s.ended(analysis);
      return analysis;
    },
    /** Runs a further collect of the analysis. */
    async again(analysis: string, number: number) {
      const priced = await owner.post(`${analysis}/collects/price`);
      await owner.post(`${analysis}/collects`, { quote_id: priced.body.quote_id, confirmed: true });
      return s.ended(analysis, number);
    },
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
