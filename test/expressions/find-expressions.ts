import { parseSync, visitorKeys, type Node } from "oxc-parser";

/** A regular expression in the product's source. */
export interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** Every literal of a file, and every `RegExp` of constant text. */
export function findExpressions(file: string, code: string): Expression[] {
  const found: Expression[] = [];
  walk(parseSync(file, code).program, (node) => {
    const expression = expressionAt(node);
    if (expression) found.push({ file, line: code.slice(0, node.start).split("\n").length, ...expression });
  });
  return found;
}

function expressionAt(node: Node): { source: string; flags: string } | undefined {
  if (node.type === "Literal" && "regex" in node) return { source: node.regex.pattern, flags: node.regex.flags };
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return undefined;
  if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return undefined;
  const [source, flags = ""] = node.arguments.map(constantText);
  return source === undefined ? undefined : { source, flags };
}

function constantText(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TaggedTemplateExpression")
    return node.quasi.quasis[1] ? undefined : node.quasi.quasis[0]?.value.raw;
  if (node.type === "TemplateLiteral" && !node.quasis[1]) return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  // These keys hold nodes, lists of nodes, or null.
  const children = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>;
  for (const child of (visitorKeys[node.type] ?? []).flatMap((key) => children[key] ?? [])) {
    if (child !== null) walk(child, visit);
  }
}
