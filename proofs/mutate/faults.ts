import { parseSync, visitorKeys, type Node } from "oxc-parser";

/** A fault to plant: a line of a file before and after. */
export interface Fault {
  /** The change, for the table: `< for <=`. */
  what: string;
  /** 1-based, in the file where the fault was found. */
  line: number;
  original: string;
  mutated: string;
}

interface Edit {
  start: number;
  end: number;
  text: string;
  what: string;
}

const OPPOSITE: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
};

/**
 * Every classic single-line mutation of a file, in source order: negated condition, neighbouring
 * operator, removed throw or call, immediate return, replaced number or boolean.
 */
export function faultsOf(file: string, code: string): Fault[] {
  const edits: Edit[] = [];
  walk(parseSync(file, code).program, (node) => edits.push(...editsAt(node, code)));
  const faults = edits.toSorted((a, b) => a.start - b.start || a.end - b.end).map((edit) => faultOf(code, edit));
  return faults.filter((fault) => fault !== undefined);
}

/** Skips types, which no test runs. */
function walk(node: Node, visit: (node: Node) => void): void {
  if (node.type.startsWith("TS") && !("expression" in node)) return;
  if (node.type === "ImportDeclaration") return;
  visit(node);
  // The visitor keys of a node type hold nodes, lists of nodes, or null.
  const children = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>;
  for (const child of (visitorKeys[node.type] ?? []).flatMap((key) => children[key] ?? [])) {
    if (child !== null) walk(child, visit);
  }
}

function editsAt(node: Node, code: string): Edit[] {
  const all = (text: string, what: string): Edit[] => [{ start: node.start, end: node.end, text, what }];
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression": {
      const { start, end } = node.test;
      return [{ start, end, text: `!(${code.slice(start, end)})`, what: "condition negated" }];
    }
    case "BinaryExpression":
    case "LogicalExpression": {
      const opposite = OPPOSITE[node.operator];
      // Texts can be concatenated and not subtracted.
      if (opposite === undefined || (node.operator === "+" && [node.left, node.right].some(isText))) return [];
      const start = code.indexOf(node.operator, node.left.end);
      return [{ start, end: start + node.operator.length, text: opposite, what: `${opposite} for ${node.operator}` }];
    }
    case "ThrowStatement":
      return all(";", "throw left out");
    case "ExpressionStatement": {
      const call = node.expression.type === "AwaitExpression" ? node.expression.argument : node.expression;
      return call.type === "CallExpression" ? all(";", "call left out") : [];
    }
    case "FunctionDeclaration": {
      const start = node.body?.body[0]?.start;
      return start === undefined ? [] : [{ start, end: start, text: "return; ", what: "returns at once" }];
    }
    case "Literal":
      if (typeof node.value === "boolean") return all(String(!node.value), `${!node.value} for ${node.value}`);
      if (typeof node.value === "number") return all(String(node.value + 1), `${node.value + 1} for ${node.value}`);
      return [];
    default:
      return [];
  }
}

function isText(node: Node): boolean {
  if (node.type === "BinaryExpression") return isText(node.left) || isText(node.right);
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

function faultOf(code: string, { start, end, text, what }: Edit): Fault | undefined {
  const lineStart = code.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = code.indexOf("\n", start);
  if (lineEnd < end) return undefined;
  return {
    what,
    line: code.slice(0, start).split("\n").length,
    original: code.slice(lineStart, lineEnd),
    mutated: code.slice(lineStart, start) + text + code.slice(end, lineEnd),
  };
}
