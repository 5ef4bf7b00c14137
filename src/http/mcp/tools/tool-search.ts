import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { foldWords, stemWord } from "../../../../core/assets/sentences.ts";
import { toSpecifiedWord } from "./synonyms.ts";

/** Weights of the parts of a listing, chosen so that the title of each tool finds it. */
const WEIGHTS = { wholeName: 20, name: 8, title: 8, hint: 2, description: 1, parameterName: 0.5, parameterText: 0.1 };
/** Saturation and length normalisation of BM25 (Robertson and Zaragoza 2009, section 3). */
const [K1, B] = [3, 0.75];

const STOP_WORDS = new Set(
  "a an and any are as at be by can do does for from get has have how i in is it its many me much my of on or our should the their them there they this to was we what when where which who why will with you your".split(
    " ",
  ),
);

interface IndexedTool {
  listed: ListedTool;
  weightByTerm: ReadonlyMap<string, number>;
  length: number;
}

/** Returns a search of tools by words, best match first (BM25F over their listings). */
export function createToolSearch(tools: readonly ListedTool[]): (query: string) => ListedTool[] {
  const indexed = tools.map(indexTool);
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / indexed.length;
  const toolCounts = new Map<string, number>();
  for (const term of indexed.flatMap(({ weightByTerm }) => [...weightByTerm.keys()])) {
    toolCounts.set(term, (toolCounts.get(term) ?? 0) + 1);
  }
  const rarityOf = (term: string) => {
    const count = toolCounts.get(term) ?? 0;
    return Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  };
  return (query) => {
    const terms = [...new Set([...listTerms(query), ...(query.match(TOOL_NAME_PATTERN) ?? [])])];
    const scored = indexed.map(({ listed, weightByTerm, length }) => {
      const lengthFactor = K1 * (1 - B + (B * length) / averageLength);
      const score = terms.reduce((sum, term) => {
        const weight = weightByTerm.get(term) ?? 0;
        return sum + (rarityOf(term) * weight * (K1 + 1)) / (weight + lengthFactor);
      }, 0);
      return { listed, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ listed }) => listed);
  };
}

function indexTool(listed: ListedTool): IndexedTool {
  const { name, title = "", description = "", inputSchema, _meta } = listed;
  const parameters = Object.entries(inputSchema.properties ?? {}) as [string, { description?: string }][];
  const parts: [text: unknown, weight: number][] = [
    [name, WEIGHTS.name],
    [title, WEIGHTS.title],
    [_meta?.["anthropic/searchHint"] ?? "", WEIGHTS.hint],
    [description, WEIGHTS.description],
    ...parameters.flatMap(([key, field]): [unknown, number][] => [
      [key, WEIGHTS.parameterName],
      [field.description ?? "", WEIGHTS.parameterText],
    ]),
  ];
  const weightByTerm = new Map([[name, WEIGHTS.wholeName]]);
  let length = 0;
  for (const [text, weight] of parts) {
    for (const term of listTerms(String(text))) {
      weightByTerm.set(term, (weightByTerm.get(term) ?? 0) + weight);
      length += weight;
    }
  }
  return { listed, weightByTerm, length };
}

const TOOL_NAME_PATTERN = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** Stems of words that distinguish tools, with everyday words in the specification's terms. */
function listTerms(text: string): string[] {
  const words = foldWords(text.replaceAll("_", " ")).filter((word) => !STOP_WORDS.has(word));
  return words.map((word) => stemWord(toSpecifiedWord(word)));
}
